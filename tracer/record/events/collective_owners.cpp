#include "tracer/record/events/collective_owners.hpp"

#include <algorithm>

namespace plumbline::record {
namespace {

constexpr std::int32_t kLastBlockingTag = -26;  // of Open MPI's collectives (coll_tags.h)

// Of MPICH, whose tags are not negative, bits 1 and 2 of a context tell a part of its communicator (nodes, their
// leaders): steps of one collective, with one tag.
constexpr std::uint32_t kPartsOfMpich = 6;

std::uint64_t owner_key(std::uint32_t context, std::int32_t tag) {
  if (tag >= 0) context &= ~kPartsOfMpich;
  return std::uint64_t{context} << 32 | static_cast<std::uint32_t>(tag);
}

bool is_collective(std::uint32_t layout) { return layout == PL_LAYOUT_COLLECTIVE || layout == PL_LAYOUT_NEIGHBOUR; }

std::vector<std::uint64_t> started_persistent(spool::Words payload, const ProcessFacts& facts) {
  std::vector<std::uint64_t> requests;
  spool::for_each_started(payload, [&](const pl_started_payload& what) {
    const auto fact = facts.persistents.find(what.persistent);
    if (what.request != 0 && fact != facts.persistents.end() && is_collective(fact->second.function.layout))
      requests.push_back(what.request);
  });
  return requests;
}

// Of a collective access to a file.
std::uint32_t request_of(const pl_file_access_payload& access) {
  return (access.flags & PL_ACCESS_COLLECTIVE) != 0 ? access.request : 0;
}

}  // namespace

std::vector<std::uint64_t> started_collectives(const FunctionFact& function, spool::Words payload,
                                               const ProcessFacts& facts) {
  std::uint32_t request = 0;
  switch (function.layout) {
    case PL_LAYOUT_COLLECTIVE:
      request = spool::decode<pl_collective_payload>(payload).request;
      break;
    case PL_LAYOUT_NEIGHBOUR:
      request = spool::decode<pl_neighbour_payload>(payload).request;
      break;
    case PL_LAYOUT_COMM:  // MPI_Comm_idup
      request = spool::decode<pl_comm_payload>(payload).request;
      break;
    case PL_LAYOUT_FILE_ACCESS:
      request = request_of(spool::decode<pl_file_access_payload>(payload));
      break;
    case PL_LAYOUT_START:
      return started_persistent(payload, facts);
    default:
      break;
  }
  return request == 0 ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{request};
}

bool CollectiveOwners::is_over(const Owner& owner) const { return std::ranges::none_of(owner.requests, is_open_); }

void CollectiveOwners::forget_those_over() {
  if (owners_.size() < many_) return;
  std::erase_if(owners_, [&](const auto& entry) { return is_over(entry.second); });
  many_ = std::max(many_, 2 * owners_.size());
}

std::optional<std::uint64_t> CollectiveOwners::owner(std::uint32_t context, std::int32_t tag, std::uint64_t call,
                                                     const std::vector<std::uint64_t>& started) {
  const std::uint64_t key = owner_key(context, tag);
  const auto known = owners_.find(key);
  if (known != owners_.end()) {
    if (known->second.call == call) return std::nullopt;
    if (!is_over(known->second)) return known->second.call;
    owners_.erase(known);
  }
  if (started.empty()) return tag < kLastBlockingTag ? first_silent(key) : std::nullopt;
  forget_those_over();
  owners_[key] = {call, started};
  last_with_message_ = call;
  return std::nullopt;
}

std::optional<std::uint64_t> CollectiveOwners::first_silent(std::uint64_t key) {
  while (!silent_.empty() && is_over(silent_.front())) silent_.pop_front();
  if (silent_.empty()) return std::nullopt;
  Owner& owner = owners_[key] = std::move(silent_.front());
  silent_.pop_front();
  return owner.call;
}

void CollectiveOwners::end_of_call(std::uint64_t call, const std::vector<std::uint64_t>& started) {
  if (started.empty() || last_with_message_ == call) return;
  while (!silent_.empty() && is_over(silent_.front())) silent_.pop_front();
  silent_.push_back({call, started});
}

}  // namespace plumbline::record
