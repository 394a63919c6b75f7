// The journal of a registry of definitions: keeping it, and following that of another one.

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "tracer/record/definitions/definition_registry.hpp"

namespace plumbline::record {

using archive::kUndefined;
using Entry = DefinitionJournal::Entry;

void DefinitionRegistry::keep_journal() { journal_.emplace().comms_before = definitions.comms.size(); }

std::string DefinitionRegistry::take_journal() {
  std::string bytes = journal_ ? journal_->out.take() : std::string();
  journal_.reset();
  return bytes;
}

// One that was defined as the parent of another is noted, too, when it is asked for itself: where that other one is
// known already, its parent may not be.
bool DefinitionRegistry::is_to_be_noted(std::uint32_t comm) {
  return journal_ && comm != kUndefined && comm >= journal_->comms_before &&
         DefinitionJournal::is_first(journal_->noted_comms, comm);
}

namespace {

enum class Told : std::uint8_t { kNone, kWorld, kGroups };

}  // namespace

// As the process tells of it, with its parents, for one that is new to whoever follows. `below`: whose parent this is.
void DefinitionRegistry::put_comm(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id,
                                  std::vector<std::uint32_t>& below) {
  ByteWriter& out = journal_->out;
  if (id == PL_COMM_WORLD && ranks_ != 0) return out.put(Told::kWorld);
  const std::optional<NewComm> told = told_comm(rank, facts, id);
  if (!told || std::ranges::find(below, id) != below.end()) return out.put(Told::kNone);
  out.put(Told::kGroups);
  out.put_all(std::span<const std::uint32_t>(told->members));
  out.put_all(std::span<const std::uint32_t>(told->remote_members));
  out.put(told->sequence);
  out.put(told->is_self);
  out.put_text(told->name);
  if (told->parent == 0) return out.put(Told::kNone);
  below.push_back(id);
  put_comm(rank, facts, told->parent, below);
}

// Numbers of the other registry become those of this one.
struct DefinitionRegistry::Follower {
  DefinitionRegistry& world;
  ByteReader in;
  std::map<std::uint32_t, std::uint32_t> comms, files, handles;

  static std::uint32_t here(const std::map<std::uint32_t, std::uint32_t>& numbers, std::uint32_t number) {
    const auto found = numbers.find(number);
    return found == numbers.end() ? number : found->second;  // of before the journal, or undefined
  }

  std::uint32_t comm() {
    switch (in.get<Told>()) {
      case Told::kNone:
        return kUndefined;
      case Told::kWorld:
        return 0;
      case Told::kGroups:
        break;
    }
    NewComm comm;
    comm.members = in.get_all<std::uint32_t>();
    comm.remote_members = in.get_all<std::uint32_t>();
    comm.sequence = in.get<std::uint32_t>();
    comm.is_self = in.get<bool>();
    comm.name = in.get_text();
    bool parent_is_read = false;
    const std::uint32_t index = world.define_comm(std::move(comm), [&] {
      parent_is_read = true;
      return this->comm();
    });
    if (!parent_is_read) pass_comm();
    return index;
  }

  // Reads what put_comm() wrote, and defines nothing.
  void pass_comm() {
    switch (in.get<Told>()) {
      case Told::kNone:
      case Told::kWorld:
        return;
      case Told::kGroups:
        in.get_all<std::uint32_t>();
        in.get_all<std::uint32_t>();
        in.get<std::uint32_t>();
        in.get<bool>();
        in.get_text();
        pass_comm();
    }
  }

  void region() {
    FunctionFact function{std::string(in.get_text())};
    function.layout = in.get<std::uint32_t>();
    world.region(function);
  }

  void window() {
    const std::uint32_t comm = here(comms, in.get<std::uint32_t>());
    const auto sequence = in.get<std::uint32_t>();
    world.window(comm, sequence, std::string(in.get_text()));
  }

  void file() {
    const auto number = in.get<std::uint32_t>();
    const std::string path(in.get_text());
    Mount mount;
    const bool is_mounted = in.get<bool>();
    if (is_mounted)
      for (std::string* text : {&mount.point, &mount.type, &mount.source, &mount.options}) *text = in.get_text();
    files[number] = world.file(path, is_mounted ? &mount : nullptr);
  }

  void new_handles() {
    auto key = in.get<HandleKey>();
    const auto first_slot = in.get<std::uint64_t>(), last_slot = in.get<std::uint64_t>();
    const auto number = in.get<std::uint64_t>();
    const std::string name(in.get_text());
    if (key.paradigm == archive::IoParadigm::kMpiIo) key.owner = here(comms, key.owner);
    key.file = here(files, key.file);
    key.parent = here(handles, key.parent);
    for (std::uint64_t slot = first_slot; slot <= last_slot; ++slot)
      handles[static_cast<std::uint32_t>(number + slot - first_slot)] = world.handle(key, slot, name);
  }

  void entry() {
    switch (in.get<Entry>()) {
      case Entry::kString:
        world.string(in.get_text());
        return;
      case Entry::kRegion:
        return region();
      case Entry::kComm: {
        const auto number = in.get<std::uint32_t>();
        comms[number] = comm();
        return;
      }
      case Entry::kContext: {
        const auto number = in.get<std::uint32_t>();
        comms[number] = world.context(in.get<std::uint32_t>());
        return;
      }
      case Entry::kWindow:
        return window();
      case Entry::kGroup:
        world.group(in.get_all<std::uint32_t>());
        return;
      case Entry::kFile:
        return file();
      case Entry::kHandles:
        return new_handles();
    }
  }
};

void DefinitionRegistry::follow(std::string_view journal) {
  Follower follower{*this, ByteReader(journal), {}, {}, {}};
  while (!follower.in.at_end()) follower.entry();
}

}  // namespace plumbline::record
