#include "tracer/record/definitions/process.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace plumbline::record {

using archive::kUndefined;

// Ids are counted from 1; of larger ones a spool may be damaged.
static constexpr std::uint32_t kRemembered = 1U << 16;

Process::Process(std::uint32_t rank, ProcessFacts facts, const ClockId& clock, const Clocks& clocks,
                 DefinitionRegistry& world, Symbols& symbols)
    : rank_(rank),
      facts_(std::move(facts)),
      clocks_(clocks),
      clock_(clocks.linear(clock)),
      world_(world),
      symbols_(symbols) {}

const FunctionUse& Process::function(std::uint16_t id) {
  if (id >= functions_.size()) functions_.resize(std::size_t{id} + 1);
  FunctionUse& use = functions_[id];
  if (use.fact == nullptr) {
    use.fact = &facts_.function(id);
    if (!is_of_inside(use.fact->layout)) use.region = world_.region(*use.fact);
  }
  return use;
}

std::uint32_t Process::inner_call_region(std::uint32_t id) {
  const auto [entry, is_new] = inner_call_regions_.try_emplace(id, kUndefined);
  if (is_new) {
    FunctionFact function = facts_.function(id);
    if (function.name.starts_with("MPI_")) function.name = fmt::format("P{}", function.name);
    entry->second = world_.region(function);
  }
  return entry->second;
}

std::uint32_t Process::known_comm(std::uint32_t id) {
  if (id == PL_COMM_WORLD && world_.ranks() != 0) return 0;
  if (id >= kRemembered) return world_.comm(rank_, facts_, id);
  if (id >= comms_.size()) comms_.resize(std::size_t{id} + 1);
  if (!comms_[id]) comms_[id] = world_.comm(rank_, facts_, id);
  return *comms_[id];
}

std::uint32_t Process::comm(std::uint32_t id) {
  const std::uint32_t index = known_comm(id);
  if (index == kUndefined) ++tally.unknown_comms;
  return index;
}

std::optional<archive::StringId> Process::find_site(std::uint32_t id) {
  const auto fact = facts_.sites.find(id);
  if (id == 0 || fact == facts_.sites.end()) return std::nullopt;
  static const std::vector<Mapping> kNone;
  const std::size_t i = fact->second.mappings;
  const std::vector<Mapping>& mappings = i < facts_.mappings.size() ? facts_.mappings[i] : kNone;
  return world_.string(symbols_.name(fact->second.address, mappings));
}

std::optional<archive::StringId> Process::site(std::uint32_t id) {
  if (id >= kRemembered) return find_site(id);
  if (id >= sites_.size()) sites_.resize(std::size_t{id} + 1);
  if (!sites_[id]) sites_[id] = find_site(id);
  return *sites_[id];
}

std::optional<archive::StringId> Process::layout_text(std::uint32_t type) {
  if (const auto known = layout_texts_.find(type); known != layout_texts_.end()) return known->second;
  const archive::Layout* layout = facts_.datatypes.layout(type);
  if (layout == nullptr) return std::nullopt;
  return layout_texts_[type] = world_.string(archive::to_text(*layout));
}

std::size_t Process::take_slot(const HandleKey& key) {
  std::vector<bool>& used = slots_[key];
  const auto slot = static_cast<std::size_t>(std::ranges::find(used, false) - used.begin());
  if (slot == used.size()) used.push_back(false);
  used[slot] = true;
  return slot;
}

void Process::give_back(const HandleKey& key, std::size_t slot) {
  if (const auto used = slots_.find(key); used != slots_.end()) used->second[slot] = false;
}

std::uint32_t Process::mpi_handle(std::uint32_t file) {
  const auto known = mpi_handles_.find(file);
  if (known != mpi_handles_.end()) return known->second;
  const auto fact = facts_.mpi_files.find(file);
  if (fact == facts_.mpi_files.end() || fact->second.comm == 0) return kUndefined;
  const auto path = facts_.paths.find(fact->second.path);
  const std::string name = path == facts_.paths.end() ? fmt::format("file {}", fact->second.path) : path->second;
  const HandleKey key{archive::IoParadigm::kMpiIo, comm(fact->second.comm), world_.file(name, facts_.mounts),
                      kUndefined};
  const std::size_t slot = take_slot(key);
  mpi_slots_[file] = {key, slot};
  return mpi_handles_[file] = world_.handle(key, slot, name);
}

void Process::close_mpi_handle(std::uint32_t file) {
  const auto slot = mpi_slots_.find(file);
  if (slot == mpi_slots_.end()) return;
  give_back(slot->second.first, slot->second.second);
  mpi_slots_.erase(slot);
}

std::string Process::path(std::uint32_t id) const {
  const auto text = facts_.paths.find(id);
  return text == facts_.paths.end() ? fmt::format("file {}", id) : text->second;
}

std::shared_ptr<OpenFile> Process::put(std::int32_t fd, const std::string& name, bool is_path) {
  auto file = std::make_shared<OpenFile>();
  file->name = name;
  if (is_path) file->file = world_.file(name, facts_.mounts);
  close(fd);  // whose end was not seen
  return files_[fd] = std::move(file);
}

void Process::make_handle(OpenFile& file, std::uint32_t parent) {
  file.key = {archive::IoParadigm::kPosix, rank_, file.file, parent};
  file.slot = take_slot(file.key);
  file.handle = world_.handle(file.key, file.slot, file.name);
}

void Process::make_stream(OpenFile& file) {
  file.stream_key = {archive::IoParadigm::kOther, rank_, file.file, kUndefined};
  file.stream_slot = take_slot(file.stream_key);
  file.stream = world_.handle(file.stream_key, file.stream_slot, file.name);
}

std::shared_ptr<OpenFile> Process::open(std::int32_t fd, std::uint32_t path, std::uint32_t parent,
                                        bool known_position) {
  const std::shared_ptr<OpenFile> file = put(fd, this->path(path), true);
  make_handle(*file, parent);
  if (known_position) file->position = 0;
  return file;
}

OpenFile* Process::known(std::int32_t fd, std::uint32_t path) {
  const auto entry = files_.find(fd);
  const auto text = facts_.paths.find(path);
  if (entry == files_.end() || text == facts_.paths.end()) return nullptr;
  return entry->second->file == world_.file(text->second, facts_.mounts) ? entry->second.get() : nullptr;
}

std::shared_ptr<OpenFile> Process::open_stream(std::int32_t fd, std::uint32_t path, bool known_position) {
  const std::shared_ptr<OpenFile> file = put(fd, this->path(path), true);
  make_stream(*file);
  if (known_position) file->position = 0;
  return file;
}

const std::shared_ptr<OpenFile>& Process::find(std::int32_t fd, std::uint64_t ticks) {
  if (const auto known = files_.find(fd); known != files_.end()) return known->second;
  // Opened by another thread: the latest that did so before.
  const DescriptorFact* latest = nullptr;
  for (const DescriptorFact& fact : facts_.descriptors) {
    if (fact.from > ticks) break;
    if (fact.fd == fd) latest = &fact;
  }
  if (latest != nullptr)
    put(fd, path(latest->path), true);
  else
    put(fd, fmt::format("descriptor {}", fd), false);  // inherited, or a socket: handles without a file
  return files_[fd];
}

OpenFile& Process::file(std::int32_t fd, std::uint64_t ticks) {
  OpenFile& file = *find(fd, ticks);
  if (file.handle == kUndefined) make_handle(file, file.stream);
  return file;
}

OpenFile& Process::stream(std::int32_t fd, std::uint64_t ticks) {
  OpenFile& file = *find(fd, ticks);
  if (file.stream == kUndefined) make_stream(file);
  return file;
}

void Process::duplicate(std::int32_t from, std::int32_t to, std::uint64_t ticks) {
  const std::shared_ptr<OpenFile> shared = find(from, ticks);
  if (from == to) return;
  close(to);
  files_[to] = shared;
}

std::shared_ptr<const OpenFile> Process::close(std::int32_t fd) {
  const auto entry = files_.find(fd);
  if (entry == files_.end()) return nullptr;
  const std::shared_ptr<OpenFile> file = std::move(entry->second);
  files_.erase(entry);
  if (file.use_count() != 1) return nullptr;
  if (file->handle != kUndefined) give_back(file->key, file->slot);
  if (file->stream != kUndefined) give_back(file->stream_key, file->stream_slot);
  return file;
}

std::vector<std::int32_t> Process::descriptors(std::uint32_t first, std::uint32_t last) const {
  std::vector<std::int32_t> found;
  for (const auto& [fd, file] : files_)
    if (fd >= 0 && static_cast<std::uint32_t>(fd) >= first && static_cast<std::uint32_t>(fd) <= last)
      found.push_back(fd);
  return found;
}

View Process::make_view(const ViewFact& fact) {
  View view;
  view.displacement = fact.displacement;
  std::shared_ptr<const archive::LayoutIndex>& index = filetypes_[fact.filetype];
  if (!index) {
    const archive::Layout* layout = facts_.datatypes.layout(fact.filetype);
    if (layout == nullptr) return view;
    index = std::make_shared<const archive::LayoutIndex>(*layout);
  }
  view.index = index;
  if (const archive::Layout* etype = facts_.datatypes.layout(fact.etype)) view.etype_bytes = etype->size;
  archive::Layout displaced = index->layout();
  displaced.displacement = fact.displacement;
  view.text = world_.string(archive::to_text(displaced));
  return view;
}

const View& Process::view(std::uint32_t file, std::uint64_t ticks) {
  const std::vector<ViewFact>& facts = facts_.mpi_files[file].views;
  const auto after = std::ranges::upper_bound(facts, ticks, {}, &ViewFact::from);
  const auto number = static_cast<std::size_t>(after - facts.begin());  // 0: the view that opening sets
  const auto [entry, is_new] = views_.try_emplace(file);
  auto& [known, view] = entry->second;
  if (is_new || known != number) {
    known = number;
    if (number != 0) {
      view = make_view(facts[number - 1]);
    } else {
      static const auto kBytes = std::make_shared<const archive::LayoutIndex>(archive::contiguous_layout(1));
      view = {kBytes, 0, 1, world_.string(archive::to_text(kBytes->layout()))};
    }
  }
  return view;
}

Hints Process::next_hints(std::uint32_t file, std::uint64_t begin) {
  const auto fact = facts_.mpi_files.find(file);
  if (fact == facts_.mpi_files.end()) return {};
  std::size_t& told = hints_told_[file];
  while (told < fact->second.hints.size() && fact->second.hints[told].from < begin) ++told;  // of a call that is lost
  return told < fact->second.hints.size() ? fact->second.hints[told++] : Hints{};
}

}  // namespace plumbline::record
