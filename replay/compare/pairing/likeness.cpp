#include "replay/compare/pairing/likeness.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plumbline::replay {
namespace {

// "exchange (jacobi.c)" of "exchange (jacobi.c:88)"; of a place in a library what stands before "+0x1f4".
std::string without_line(std::string_view site) {
  const std::size_t open = site.rfind('('), cut = site.find_last_of(":+");
  if (open == site.npos || cut == site.npos || cut < open) return std::string(site);
  return std::string(site.substr(0, cut)) + ")";
}

// Numbers for texts and communicators that mean the same in both programs.
class SharedNames {
 public:
  explicit SharedNames(const Program& a, const Program& b) : programs_{&a, &b} {
    for (std::size_t which = 0; which < 2; ++which) {
      const Program& program = *programs_[which];
      for (std::uint32_t i = 0; i < program.calls(); ++i)
        calls_[which].push_back(number(texts_, std::string(program.call(static_cast<std::uint16_t>(i)))));
      for (std::uint32_t i = 0; i < program.sites(); ++i)
        sites_[which].push_back(number(texts_, without_line(program.site(i))));
      for (std::uint32_t i = 0; i < program.comms(); ++i) {
        const CommView comm = program.comm(i);
        comms_[which].push_back(number(groups_, {{comm.members.begin(), comm.members.end()},
                                                 {comm.remote_members.begin(), comm.remote_members.end()}}));
      }
    }
  }

  std::uint32_t call(std::size_t which, const Operation& operation) const { return calls_[which][operation.call]; }
  std::uint32_t site(std::size_t which, const Operation& operation) const {
    return operation.site == kNone ? kNone : sites_[which][operation.site];
  }
  // Files are no communicators, and their paths may differ from run to run.
  std::uint32_t comm(std::size_t which, const Operation& operation) const {
    if (is_io(operation.kind) || operation.comm == kNone) return kNone;
    const bool on_window = is_one_sided(operation.kind);
    return comms_[which][on_window ? programs_[which]->windows()[operation.comm].comm : operation.comm];
  }

 private:
  using Members = std::vector<std::uint32_t>;

  template <class Key>
  static std::uint32_t number(std::map<Key, std::uint32_t>& known, const Key& key) {
    return known.try_emplace(key, static_cast<std::uint32_t>(known.size())).first->second;
  }

  const Program* programs_[2];
  std::map<std::string, std::uint32_t> texts_;
  std::map<std::pair<Members, Members>, std::uint32_t> groups_;
  std::vector<std::uint32_t> calls_[2], sites_[2], comms_[2];
};

// What two operations have in common when they pair.
struct Likeness {
  std::uint32_t call, site, comm;
  OpKind kind;
  bool is_wild;  // a receive from any source
  std::int32_t peer;
  std::uint64_t bytes;

  bool operator==(const Likeness&) const = default;
};

struct LikenessHash {
  std::size_t operator()(const Likeness& of) const {
    std::uint64_t hash = of.call | std::uint64_t{of.site} << 32;
    for (const std::uint64_t next :
         {std::uint64_t{of.comm} << 8 | static_cast<std::uint64_t>(of.kind),
          std::uint64_t{static_cast<std::uint32_t>(of.peer)} << 1 | (of.is_wild ? 1U : 0U), of.bytes})
      hash = (hash ^ next ^ (hash >> 29)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

}  // namespace

struct Likenesses::State {
  State(const Program& a, const Program& b) : names(a, b) {}

  const SharedNames names;
  std::unordered_map<Likeness, std::uint32_t, LikenessHash> numbers;
};

Likenesses::Likenesses(const Program& a, const Program& b) : state_(std::make_unique<State>(a, b)) {}
Likenesses::~Likenesses() = default;

std::uint32_t Likenesses::of(std::size_t which, const Operation& operation) {
  const SharedNames& names = state_->names;
  const bool is_wild = (operation.flags & kAnySource) != 0 && has_peer(operation.kind);
  const Likeness likeness{names.call(which, operation),
                          names.site(which, operation),
                          names.comm(which, operation),
                          operation.kind,
                          is_wild,
                          is_wild ? kNoPeer : operation.peer,
                          is_wild ? 0 : operation.bytes};
  const auto next = static_cast<std::uint32_t>(state_->numbers.size());
  return state_->numbers.try_emplace(likeness, next).first->second;
}

}  // namespace plumbline::replay
