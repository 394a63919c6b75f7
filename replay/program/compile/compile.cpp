#include "replay/program/compile/compile.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "replay/program/compile/context/inside_compiler.hpp"
#include "replay/program/compile/context/inside_locations.hpp"
#include "replay/program/compile/location_compiler.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;

std::string_view property(const archive::LocationGroup& group, const char* key) {
  const auto found = group.properties.find(key);
  return found == group.properties.end() ? std::string_view() : found->second;
}

std::int64_t number(const archive::LocationGroup& group, const char* key) {
  const std::string_view text = property(group, key);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value < 0 ? 0 : value;
}

// "Open MPI v4.1.4, package: .." and "MPICH Version:\t4.0.2" as people say it, and as platform files do.
std::string library_name(std::string_view version) {
  std::string name(version.substr(0, version.find(", package")));
  constexpr std::string_view kMpich = "MPICH Version:";
  if (!name.starts_with(kMpich)) return name;
  const std::size_t number = name.find_first_not_of(" \t", kMpich.size());
  return number == std::string::npos ? "MPICH" : "MPICH " + name.substr(number);
}

std::string_view node_name(const archive::Definitions& definitions, const archive::LocationGroup& group) {
  if (const std::string_view host = property(group, names::kPropertyHost); !host.empty()) return host;
  const auto& tree = definitions.system_tree;
  std::uint32_t node = group.system_tree_node;
  for (std::size_t up = 0; node < tree.size() && up < tree.size(); ++up) {
    if (definitions.strings[tree[node].class_name] == "node") break;
    if (tree[node].parent >= tree.size()) break;
    node = tree[node].parent;
  }
  return node < tree.size() ? std::string_view(definitions.strings[tree[node].name]) : "unknown node";
}

class Compilation {
 public:
  Compilation(archive::Reader& reader, const std::filesystem::path& file, CompileSummary& summary, std::string source,
              Damage damage)
      : damage_(damage),
        source_(std::move(source)),
        reader_(reader),
        definitions_(reader.definitions()),
        where_(reader.anchor().string()),
        summary_(summary),
        locations_(locations_by_rank(definitions_, where_)),
        insides_(inside_locations(definitions_)),
        builder_(file),
        context_(definitions_, where_, builder_) {}

  Program run() {
    Progress progress("compiling", locations_.size());
    for (std::uint32_t rank = 0; rank < locations_.size(); ++rank) {
      compile_rank(rank);
      progress.update(rank + 1);
    }
    summary_.messages = context_.tally.messages;
    summary_.lacks = lacks();
    summary_.remarks = remarks();
    write_properties();
    return builder_.finish();
  }

 private:
  void compile_rank(std::uint32_t rank) {
    const std::uint32_t location = locations_[rank];
    const std::uint32_t group_index = definitions_.locations[location].group;
    const archive::LocationGroup none{};
    const bool known = group_index < definitions_.location_groups.size();
    const archive::LocationGroup& group = known ? definitions_.location_groups[group_index] : none;
    const TracerCost cost = tracer_cost(definitions_, location);
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    const auto gap_cost = static_cast<std::uint32_t>(std::min((cost.inside + cost.outside).ps, kMost));
    const std::uint32_t node = builder_.node(node_name(definitions_, group));
    const std::string_view processor = property(group, "PLUMBLINE::META::processor_name");
    builder_.begin_rank(node, static_cast<std::uint32_t>(number(group, names::kPropertyCores)), gap_cost,
                        processor.empty() ? kNone : builder_.node(processor));
    InsideOfCalls inside(context_.scratch);
    if (insides_[location] != archive::kUndefined) inside = compile_inside(insides_[location]);
    LocationCompiler compiler(context_, rank, cost, inside.calls.empty() ? nullptr : &inside);
    read(location, compiler);
    compiler.finish();
    summary_.operations += builder_.operations();
    builder_.end_rank(compiler.request_slots(), compiler.inner_slots());
  }

  InsideOfCalls compile_inside(std::uint32_t location) {
    InsideCompiler compiler(context_);
    read(location, compiler);
    return compiler.finish();
  }

  template <class Compiler>
  void read(std::uint32_t location, Compiler& compiler) {
    try {
      reader_.read(location, [&](const archive::Event& event) { compiler.event(event); });
    } catch (const Error& error) {
      if (damage_ == Damage::kRefuse) throw;
      constexpr std::size_t kMost = 8;
      if (++damaged_locations_ <= kMost) damage_told_.push_back("incomplete: " + to_string(error.problems().front()));
    }
  }

  bool has(std::uint32_t attribute) const { return attribute != kNone; }

  // Only what is really missing and matters to this trace.
  std::vector<std::string> lacks() const {
    std::vector<std::string> lacks;
    const Tally& tally = context_.tally;
    const AttributeIds& ids = context_.attributes;
    if (summary_.operations > 0 && !has(ids.site)) lacks.push_back("call sites: findings name calls, not source lines");
    if (tally.accesses_without_offset > 0)
      lacks.push_back(
          fmt::format("absolute offsets or file views of {} MPI-IO accesses: where they fall in the file is "
                      "not known",
                      tally.accesses_without_offset));
    if (tally.collectives_without_record > 0)
      lacks.push_back(fmt::format("records of {} non-blocking collectives: they and their waits are not judged",
                                  tally.collectives_without_record));
    if (tally.atomicity_set > 0)
      lacks.push_back(
          fmt::format("what {} calls of MPI_File_set_atomicity set: files are taken not to be in atomic mode",
                      tally.atomicity_set));
    if (tally.receives_without_post > 0)
      lacks.push_back(
          fmt::format("posts of {} receives: the oldest one without is taken for each", tally.receives_without_post));
    if (context_.is_ours) return lacks;
    if (tally.receives > 0 && !has(ids.posted_source))
      lacks.push_back("wildcards of receives: each waits for the message that it matched");
    lacks.push_back("the tracer's own cost: it is part of the observed times");
    if (!has(ids.run_delay)) lacks.push_back("time off the CPU: it counts as computation");
    return lacks;
  }

  std::vector<std::string> remarks() const {
    std::vector<std::string> remarks = damage_told_;
    if (damaged_locations_ > damage_told_.size())
      remarks.push_back(
          fmt::format("incomplete: {} more locations are damaged", damaged_locations_ - damage_told_.size()));
    const Tally& t = context_.tally;
    const auto add = [&](std::uint64_t n, const char* one, const char* several) {
      if (n > 0) remarks.push_back(fmt::format("{} {}", n, n == 1 ? one : several));
    };
    add(t.disorder, "event was earlier than its predecessor and was moved to it",
        "events were earlier than their predecessors and were moved to them");
    add(t.calls_without_end, "call never ends in the archive", "calls never end in the archive");
    add(t.receives_never_completed, "receive was posted and never seen to complete; nobody waits for it",
        "receives were posted and never seen to complete; nobody waits for them");
    add(t.sends_never_completed, "send was started and never completed", "sends were started and never completed");
    add(t.others_never_completed, "other request was started and never completed",
        "other requests were started and never completed");
    add(t.cancelled, "request was cancelled; it is left out", "requests were cancelled; they are left out");
    add(t.replaced_requests, "request id was given again before the request completed",
        "request ids were given again before the requests completed");
    add(t.late_completions, "request was completed by a call that waits for none",
        "requests were completed by calls that wait for none");
    add(t.unknown_io, "I/O operation completed that was not begun", "I/O operations completed that were not begun");
    add(t.inside_out_of_order, "record of the inside of calls fits to no call",
        "records of the inside of calls fit to no call");
    if (t.refused > 0)
      remarks.push_back(fmt::format("{} {} arguments that MPI refuses and {} taken to have failed; the first: {}",
                                    t.refused, t.refused == 1 ? "call has" : "calls have",
                                    t.refused == 1 ? "is" : "are", t.first_refused));
    add_ends(remarks);
    add_limits(remarks);
    remarks.insert(remarks.end(), t.unfinished.begin(), t.unfinished.end());
    for (const auto& [record, n] : reader_.skipped())
      add(n, (record + " record was skipped").c_str(), (record + " records were skipped").c_str());
    return remarks;
  }

  // Of processes that did not end in MPI_Finalize; a few speak for all.
  void add_ends(std::vector<std::string>& remarks) const {
    constexpr std::size_t kMost = 8;
    for (const std::uint32_t location : locations_) {
      const std::uint32_t group = definitions_.locations[location].group;
      if (group >= definitions_.location_groups.size() || remarks.size() >= kMost) continue;
      const std::string_view end = property(definitions_.location_groups[group], names::kPropertyEnd);
      if (!end.empty() && end != "finalized" && end != names::kEndLeftOut)
        remarks.push_back(fmt::format("incomplete: rank {}: {}", *definitions_.locations[location].rank, end));
    }
  }

  // What the user did not want recorded, or had no room for.
  void add_limits(std::vector<std::string>& remarks) const {
    constexpr std::size_t kMost = 8;
    std::vector<std::uint32_t> left_out;
    std::string_view window;
    for (const std::uint32_t location : locations_) {
      const std::uint32_t index = definitions_.locations[location].group, rank = *definitions_.locations[location].rank;
      if (index >= definitions_.location_groups.size()) continue;
      const archive::LocationGroup& group = definitions_.location_groups[index];
      if (property(group, names::kPropertyEnd) == names::kEndLeftOut) left_out.push_back(rank);
      if (window.empty()) window = property(group, names::kPropertyWindow);
      const std::string_view dropped = property(group, names::kPropertyDroppedCalls);
      if (!dropped.empty() && remarks.size() < kMost)
        remarks.push_back(
            fmt::format("incomplete: rank {}: {} older calls gave way to newer ones (--keep last)", rank, dropped));
    }
    if (!left_out.empty())
      remarks.push_back(
          fmt::format("incomplete: {} of {} ranks were left out (--ranks), the first is rank {}: messages "
                      "to and from them have no other end",
                      left_out.size(), locations_.size(), left_out.front()));
    if (const std::uint64_t threads = other_threads(definitions_); threads > 0)
      remarks.push_back(fmt::format("incomplete: the calls of {} other thread{} of the ranks are not replayed", threads,
                                    threads == 1 ? "" : "s"));
    if (!window.empty())
      remarks.push_back(fmt::format("incomplete: only {} after MPI_Init was recorded (--window)", window));
  }

  static std::string lines(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, "\n")); }

  void write_properties() {
    builder_.property("source", source_.empty() ? content_hash(reader_.anchor()) : source_);
    builder_.property("creator", definitions_.creator);
    builder_.property("operations", std::to_string(summary_.operations));
    builder_.property("messages", std::to_string(summary_.messages));
    builder_.property("lacks", lines(summary_.lacks));
    builder_.property("remarks", lines(summary_.remarks));
    std::int64_t lost = 0;
    for (const archive::LocationGroup& group : definitions_.location_groups)
      lost += number(group, names::kPropertyLost);
    builder_.property("lost_records", std::to_string(lost));
    for (const archive::LocationGroup& group : definitions_.location_groups) {
      if (property(group, names::kPropertyLibrary).empty()) continue;
      builder_.property("library", library_name(property(group, names::kPropertyLibrary)));
      builder_.property("program", property(group, names::kPropertyProgram));
      write_forced_algorithms(group);
      write_file_parameters(group);
      break;
    }
    write_file_systems();
  }

  // Of Open MPI, what decides how it accesses files and windows; from the environment, where mpirun puts its options
  // too.
  void write_file_parameters(const archive::LocationGroup& group) {
    constexpr std::string_view kMeta = "PLUMBLINE::META::", kParameter = "env.OMPI_MCA_";
    for (const auto& [key, value] : group.properties) {
      std::string_view name = key;
      if (!name.starts_with(kMeta)) continue;
      name.remove_prefix(kMeta.size());
      if (name == "thread_level") builder_.property("thread_level", value);
      if (name == "cvar.io") builder_.property("mca:io", value);
      if (!name.starts_with(kParameter)) continue;
      name.remove_prefix(kParameter.size());
      for (const std::string_view framework : {"io", "fcoll", "fbtl", "fs", "sharedfp", "osc"})
        if (name.starts_with(framework) && (name.size() == framework.size() || name[framework.size()] == '_'))
          builder_.property(fmt::format("mca:{}", name), value);
    }
  }

  void write_file_systems() {
    for (const archive::IoHandle& handle : definitions_.io_handles) {
      if (handle.paradigm != archive::IoParadigm::kMpiIo || handle.file >= definitions_.io_files.size()) continue;
      const archive::IoFile& file = definitions_.io_files[handle.file];
      for (const auto& [name, value] : file.properties)
        if (definitions_.strings[name] == names::kPropertyFileSystem)
          builder_.property(fmt::format("filesystem:{}", definitions_.strings[file.path]), definitions_.strings[value]);
    }
  }

  // Algorithms of collectives that were forced: "setting:coll_tuned_allreduce_algorithm" = "4", in force only with
  // dynamic rules; "setting:coll_libnbc_ibcast_algorithm" = "2"; "setting:MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM" =
  // "ring".
  void write_forced_algorithms(const archive::LocationGroup& group) {
    constexpr std::string_view kVariable = "PLUMBLINE::META::cvar.", kEnvironment = "PLUMBLINE::META::env.";
    const bool has_rules = property(group, "PLUMBLINE::META::cvar.coll_tuned_use_dynamic_rules") == "1";
    for (const auto& [key, value] : group.properties) {
      const std::string_view full = key;
      const std::string_view name = full.starts_with(kVariable)      ? full.substr(kVariable.size())
                                    : full.starts_with(kEnvironment) ? full.substr(kEnvironment.size())
                                                                     : std::string_view();
      const bool in_force = (has_rules && name.starts_with("coll_tuned_")) || name.starts_with("coll_libnbc_");
      const bool openmpi = in_force && full.starts_with(kVariable) && name.ends_with("_algorithm");
      const bool mpich =
          full.starts_with(kEnvironment) && name.starts_with("MPIR_CVAR_") && name.ends_with("_INTRA_ALGORITHM");
      if (openmpi || mpich) builder_.property(fmt::format("setting:{}", name), value);
    }
  }

  const Damage damage_;
  std::size_t damaged_locations_ = 0;
  std::vector<std::string> damage_told_;
  const std::string source_;
  archive::Reader& reader_;
  const archive::Definitions& definitions_;
  std::string where_;
  CompileSummary& summary_;
  std::vector<std::uint32_t> locations_;
  std::vector<std::uint32_t> insides_;  // by location
  ProgramBuilder builder_;
  CompileContext context_;
};

}  // namespace

std::vector<std::uint32_t> locations_by_rank(const archive::Definitions& definitions, const std::string& where) {
  std::vector<std::uint32_t> locations(definitions.world_size(), kNone);
  for (std::uint32_t i = 0; i < definitions.locations.size(); ++i) {
    const std::optional<std::uint32_t> rank = definitions.locations[i].rank;
    if (!rank) continue;
    if (*rank >= locations.size() || locations[*rank] != kNone)
      throw Error(where, fmt::format("locations speak for {} ranks, but not once for each", locations.size()));
    locations[*rank] = i;
  }
  if (locations.empty()) throw Error(where, "no location speaks for an MPI rank", "record an MPI program");
  return locations;
}

TracerCost tracer_cost(const archive::Definitions& definitions, std::uint32_t location) {
  const std::uint32_t group = definitions.locations[location].group;
  if (group >= definitions.location_groups.size()) return {};
  const archive::LocationGroup& process = definitions.location_groups[group];
  TracerCost cost;
  cost.inside = Duration{number(process, names::kPropertyCostInside)};
  cost.outside = Duration{number(process, names::kPropertyCostOutside)};
  if (process.properties.contains(names::kPropertyPollGap))
    cost.poll_gap = Duration{number(process, names::kPropertyPollGap)};
  return cost;
}

Program compile(archive::Reader& reader, const std::filesystem::path& file, CompileSummary& summary, std::string source,
                Damage damage) {
  return Compilation(reader, file, summary, std::move(source), damage).run();
}

}  // namespace plumbline::replay
