#include "replay/engine/collective_choice.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"

namespace plumbline::replay {
namespace {

namespace schedules = collectives::schedules;

// MPI_Gatherv, MPI_Alltoallw, ..: their names say it.
bool names_irregular(std::string_view call) {
  if (call.ends_with("_c")) call.remove_suffix(2);
  return call.ends_with('v') || call.ends_with('w');
}

std::string library_asked_for(const Program& program, const Choices& choices) {
  if (choices.library.empty()) return std::string(collectives::library_of(program));
  if (std::ranges::find(schedules::kLibraries, choices.library) == std::end(schedules::kLibraries))
    throw Error(choices.library, "no tables of this MPI library", "known: openmpi, mpich, piosimhd");
  return choices.library;
}

// "openmpi chain (fan-out 4)": its call names the operation.
std::string name_of(const schedules::Algorithm& algorithm) {
  std::string text = to_string(algorithm);
  const std::string operation = " " + std::string(to_string(algorithm.operation));
  return text.erase(algorithm.library.size(), operation.size());
}

// Algorithms of Open MPI are numbered; 0 leaves the choice to the library.
std::optional<schedules::Algorithm> openmpi_setting(const Program& program, schedules::Operation operation) {
  const std::string_view component = schedules::is_non_blocking(operation) ? "libnbc" : "tuned";
  std::string name = "setting:coll_";
  name.append(component).append("_").append(to_string(operation)).append("_algorithm");
  const std::string_view value = program.property(name);
  for (const schedules::Algorithm& algorithm : schedules::algorithms_for(schedules::kOpenMpi, operation))
    if (algorithm.number > 0 && std::to_string(algorithm.number) == value) return algorithm;
  return std::nullopt;
}

bool has_two_ranks_on_a_node(const schedules::Call& call) {
  std::vector<std::uint32_t> nodes = call.node_of;
  std::ranges::sort(nodes);
  return std::ranges::adjacent_find(nodes) != nodes.end();
}

// MPICH takes the variable of a blocking form for the steps of compositions too; here only where there are none.
std::optional<schedules::Algorithm> mpich_setting(const Program& program, const schedules::Call& call) {
  if (!schedules::is_non_blocking(call.operation) && has_two_ranks_on_a_node(call)) return std::nullopt;
  std::string operation(to_string(call.operation));
  std::ranges::transform(operation, operation.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string_view value = program.property("setting:MPIR_CVAR_" + operation + "_INTRA_ALGORITHM");
  if (value.empty()) return std::nullopt;
  return algorithm_named(call.operation, "mpich:" + std::string(value), schedules::kMpich);
}

// What the recording says was forced there.
std::optional<schedules::Algorithm> recorded_setting(const Program& program, std::string_view library,
                                                     const schedules::Call& call) {
  if (library == schedules::kOpenMpi) return openmpi_setting(program, call.operation);
  return library == schedules::kMpich ? mpich_setting(program, call) : std::nullopt;
}

// Of what counts for the plan.
std::string key_of(std::uint32_t comm, const schedules::Call& call) {
  std::string key;
  const auto add = [&key](std::uint64_t value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(std::uint64_t{comm} << 32 | static_cast<std::uint64_t>(call.operation) << 1 | (call.in_place ? 1 : 0));
  add(call.root);
  add(call.count);
  add(call.type_bytes);
  for (const std::uint64_t count : call.counts) add(count);
  return key;
}

}  // namespace

collectives::Shape shape_of(const Program& program, std::uint32_t world_rank, const Operation& op, std::uint32_t size,
                            std::uint32_t rank) {
  const RankProgram& own = program.rank(world_rank);
  const CollectiveTail& tail = own.collectives[op.extra];
  collectives::Shape shape;
  shape.kind = static_cast<Collective>(op.tag);
  shape.irregular = names_irregular(program.call(op.call));
  shape.size = size;
  shape.rank = rank;
  shape.root = op.peer == kNoPeer ? 0 : static_cast<std::uint32_t>(op.peer);
  shape.sent = op.bytes;
  shape.received = tail.received;
  if (tail.sent_counts != kNone) shape.sent_counts = own.counts.subspan(tail.sent_counts, size);
  if (tail.received_counts != kNone) shape.received_counts = own.counts.subspan(tail.received_counts, size);
  return shape;
}

std::optional<schedules::Algorithm> algorithm_named(schedules::Operation operation, std::string_view name,
                                                    std::string_view library) {
  std::vector<std::string_view> order = {library};
  order.insert(order.end(), std::begin(schedules::kLibraries), std::end(schedules::kLibraries));
  if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
    order = {name.substr(0, colon)};
    name.remove_prefix(colon + 1);
  }
  for (const std::string_view of : order)
    for (const schedules::Algorithm& algorithm : schedules::algorithms_for(of, operation))
      if (schedules::is_called(algorithm, name)) return algorithm;
  return std::nullopt;
}

CollectiveChoice::CollectiveChoice(const Program& program, const hw::Platform& platform,
                                   std::span<const std::uint32_t> nodes, const ReplayOptions& options)
    : program_(program),
      platform_(platform),
      nodes_(nodes),
      options_(options),
      library_(library_asked_for(program, options.choices)),
      best_(options.best),
      by_comm_(program.comms()) {
  for (const auto& [operation, name] : options.choices.collectives)
    if (!algorithm_named(operation, name, library_))
      throw Error(name, "no algorithm of " + std::string(to_string(operation)), "see `plumbline replay --help`");
  collectives::for_each_collective(program,
                                   [&](const collectives::CollectiveCall& call) {
                                     const Planned of = planned(call);
                                     by_comm_[call.comm].push_back(of.plan);
                                     ++uses_[{call.name, kind_of(call), of}];
                                   },
                                   {.files = false, .incomplete = true});
}

// As the first rank that recorded it says.
Collective CollectiveChoice::kind_of(const collectives::CollectiveCall& call) const {
  std::uint32_t rank = 0;
  while (call.operations[rank] == kNone) ++rank;
  const RankProgram& own = program_.rank(program_.comm(call.comm).members[rank]);
  return static_cast<Collective>(own.operations[call.operations[rank]].tag);
}

CollectiveChoice::Planned CollectiveChoice::planned(const collectives::CollectiveCall& call) {
  const auto read = collectives::likely_call_of(program_, call, {.nodes = nodes_, .without_matrix = true});
  if (!read) return {};
  // What is the fastest depends on the rows of an alltoallv, so such calls share their search only, not their plan.
  if (read->in_rows && options_.form == Form::kIdeal) return planned(call, *read);
  const auto [entry, is_new] = known_.try_emplace(key_of(call.comm, *read));
  if (is_new) entry->second = planned(call, *read);
  return entry->second;
}

collectives::CollectivePlan* CollectiveChoice::inside(std::uint32_t comm, const schedules::Call& call) {
  const auto [entry, is_new] = known_.try_emplace(key_of(comm, call));
  if (is_new) entry->second = planned({.name = {}, .comm = comm, .operations = {}}, call);
  const std::uint32_t plan = entry->second.plan;
  return plan == kNone ? nullptr : &plans_[plan];
}

CollectiveChoice::Planned CollectiveChoice::planned(const collectives::CollectiveCall& call,
                                                    const schedules::Call& read) {
  const Chosen chosen = choose(call, read);
  if (!chosen.algorithm) return {kNone, chosen.by};
  plans_.push_back(collectives::plan_of(*chosen.algorithm, read));
  return {static_cast<std::uint32_t>(plans_.size() - 1), chosen.by};
}

CollectiveChoice::Chosen CollectiveChoice::as_configured(const schedules::Call& read) const {
  if (library_.empty()) return {};
  try {
    // A library that is asked for in place of the recorded one has its defaults.
    if (library_ == collectives::library_of(program_))
      if (const auto setting = recorded_setting(program_, library_, read))
        return {schedules::effective(*setting, read), ChosenBy::kTables};
  } catch (const Error&) {  // it cannot run this call: the library chooses
  }
  try {
    return {schedules::choice_of(library_, read), ChosenBy::kTables};
  } catch (const Error&) {  // PIOsimHD does not have every operation
    return {};
  }
}

CollectiveChoice::Chosen CollectiveChoice::choose(const collectives::CollectiveCall& call,
                                                  const schedules::Call& read) {
  const auto forced = options_.choices.collectives.find(read.operation);
  if (forced != options_.choices.collectives.end()) {
    try {
      return {schedules::effective(*algorithm_named(read.operation, forced->second, library_), read),
              ChosenBy::kForced};
    } catch (const Error&) {  // it cannot run this call: what runs otherwise does
    }
  }
  const Chosen usual = as_configured(read);
  if (options_.form != Form::kIdeal || call.operations.empty()) return usual;
  const CommView comm = program_.comm(call.comm);
  std::vector<collectives::Shape> shapes;
  for (std::uint32_t rank = 0; rank < comm.members.size(); ++rank) {
    if (call.operations[rank] == kNone) return usual;
    shapes.push_back(shape_of(program_, comm.members[rank],
                              program_.rank(comm.members[rank]).operations[call.operations[rank]], read.ranks, rank));
  }
  if (best_ == nullptr) best_ = std::make_shared<BestSchedules>(platform_, nodes_);
  return {best_->best({&read, comm.members, shapes}, usual.algorithm), ChosenBy::kBest};
}

std::vector<CollectiveUse> CollectiveChoice::uses() const {
  std::vector<CollectiveUse> uses;
  for (const auto& [of, calls] : uses_) {
    CollectiveUse use{std::string(of.call), {}, of.planned.by, calls};
    use.algorithm = of.planned.plan == kNone ? "stand-in: " + std::string(collectives::schedule_name(of.kind))
                                             : name_of(plans_[of.planned.plan].algorithm);
    const auto same = std::ranges::find_if(uses, [&](const CollectiveUse& other) {
      return other.call == use.call && other.algorithm == use.algorithm && other.by == use.by;
    });
    if (same != uses.end())
      same->calls += use.calls;
    else
      uses.push_back(std::move(use));
  }
  return uses;
}

bool CollectiveChoice::is_same(const CollectiveChoice& other) const {
  const auto algorithm = [](const CollectiveChoice& of, std::uint32_t plan) {
    return plan == kNone ? nullptr : &of.plans_[plan].algorithm;
  };
  for (std::size_t comm = 0; comm < by_comm_.size(); ++comm)
    for (std::size_t n = 0; n < by_comm_[comm].size(); ++n) {
      const auto* a = algorithm(*this, by_comm_[comm][n]);
      const auto* b = algorithm(other, other.by_comm_[comm][n]);
      if ((a == nullptr) != (b == nullptr) || (a != nullptr && !(*a == *b))) return false;
    }
  return true;
}

bool collectives_differ(const Program& program, const hw::Platform& platform, const ReplayOptions& these,
                        const ReplayOptions& those) {
  const std::vector<std::uint32_t> nodes = place_ranks(program, platform);
  const CollectiveChoice a(program, platform, nodes, these), b(program, platform, nodes, those);
  return !a.is_same(b);
}

}  // namespace plumbline::replay
