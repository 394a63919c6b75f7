#include "bench/choose/chooser.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/statistics/order.hpp"
#include "bench/choose/by_ours.hpp"
#include "bench/choose/decide.hpp"

namespace plumbline::bench::choose {
namespace {

int nodes_of(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  must(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  int nodes = rank_in(node) == 0 ? 1 : 0;
  must(MPI_Comm_free(&node));
  must(MPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT, MPI_SUM, comm));
  return nodes;
}

// The first line, blanks made one: MPICH has a tabulator there.
std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  must(MPI_Get_library_version(text, &length));
  std::string line;
  for (const char* c = text; *c != '\0' && *c != '\n'; ++c) {
    const bool is_blank = *c == ' ' || *c == '\t';
    if (!is_blank)
      line += *c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

std::string counted(int number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

bool has_blanks(std::string_view name) { return name.find_first_of(" \t\r\n") != std::string_view::npos; }

void check(const plumbline_choosing& choosing, std::size_t candidates) {
  if (!(choosing.chance > 0 && choosing.chance < 1 && choosing.gain >= 0 && choosing.gain < 1 &&
        choosing.hopeless >= 1 && choosing.repetitions > 0))
    throw Error("plumbline_choose", "a setting that cannot be",
                "0 < chance < 1, 0 <= gain < 1, hopeless >= 1, repetitions > 0");
  const std::uint32_t least = least_rounds(candidates, {choosing.chance, choosing.gain});
  if (choosing.rounds < least)
    throw Error(
        "plumbline_choose",
        std::to_string(choosing.rounds) + " rounds cannot tell " + std::to_string(candidates) + " candidates apart",
        "make it " + std::to_string(least) + " at least, or chance larger");
}

// 0 where nothing was valid: a file cannot say infinite.
double median_of(const Rounds& rounds) {
  const double median = statistics::median(rounds);
  return std::isfinite(median) ? median : 0;
}

plumbline_settings settings_of(const plumbline_choosing& choosing) {
  plumbline_settings settings = choosing.measuring;
  settings.stop = PLUMBLINE_STOP_COUNT;
  settings.least = settings.most = choosing.repetitions;
  return settings;
}

}  // namespace

Chooser::Chooser(MPI_Comm comm, bool with_ours) {
  must(MPI_Comm_dup(comm, &comm_));
  rank_ = rank_in(comm_);
  circumstances_ = {library_version(), size_of(comm_), nodes_of(comm_)};
  for (std::size_t i = 0; i < kCollectives; ++i) {
    candidates_[i].push_back({"library", nullptr, &library_functions()});
    if (!with_ours) continue;
    for (const auto& each : algorithms::implementations_of(operation_of(static_cast<plumbline_collective>(i))))
      if (each.works_with(circumstances_.ranks)) candidates_[i].push_back({each.name, &each, nullptr});
  }
}

Chooser::~Chooser() { MPI_Comm_free(&comm_); }

void Chooser::add(const plumbline_candidate& candidate) {
  if (candidate.name == nullptr || *candidate.name == '\0' || has_blanks(candidate.name))
    throw Error("plumbline_add_candidate", "a name with blanks, or none", "names are written to a file of words");
  bool is_any = false;
  for (std::size_t i = 0; i < kCollectives; ++i) {
    const auto collective = static_cast<plumbline_collective>(i);
    if (!has_function_for(candidate, collective)) continue;
    is_any = true;
    if (find(collective, candidate.name) != nullptr)
      throw Error("plumbline_add_candidate",
                  std::string(name_of(collective)) + " has an implementation '" + candidate.name + "' already",
                  "choose another name");
  }
  if (!is_any) throw Error("plumbline_add_candidate", std::string("'") + candidate.name + "' has no function");
  programs_.push_back(candidate);
  programs_.back().name = names_.emplace_back(candidate.name).c_str();
  for (std::size_t i = 0; i < kCollectives; ++i)
    if (has_function_for(candidate, static_cast<plumbline_collective>(i)))
      candidates_[i].push_back({names_.back(), nullptr, &programs_.back()});
}

void Chooser::choose(plumbline_collective collective, std::span<const std::size_t> sizes,
                     const plumbline_choosing& choosing) {
  check(choosing, candidates_[collective].size());
  std::vector<std::size_t> ascending(sizes.begin(), sizes.end());
  std::sort(ascending.begin(), ascending.end());
  ascending.erase(std::unique(ascending.begin(), ascending.end()), ascending.end());
  if (ascending.back() > INT_MAX)
    throw Error("plumbline_choose", "a size beyond 2 GiB", "what is chosen for the largest holds for larger ones");
  std::vector<Choice> choices;
  for (const std::size_t bytes : ascending) choices.push_back(choose_one(collective, bytes, choosing));
  take(collective, std::move(choices));
}

// Rank 0 decides who is measured and who is taken, so that ranks agree even where they calculate differently.
Choice Chooser::choose_one(plumbline_collective collective, std::size_t bytes,
                           const plumbline_choosing& choosing) const {
  const plumbline_settings settings = settings_of(choosing);
  const std::vector<Candidate> candidates(candidates_[collective].begin(), candidates_[collective].end());
  std::vector<Rounds> times(candidates.size());
  std::vector<std::uint8_t> is_out(candidates.size(), 0);
  Trial trial(collective, bytes, settings.root, comm_);
  for (std::uint32_t round = 0; round < choosing.rounds; ++round) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::size_t turn = (i + round) % candidates.size();
      if (is_out[turn] == 0) times[turn].push_back(trial.measure(candidates[turn], settings));
    }
    for (std::size_t i = 1; i < candidates.size(); ++i)
      if (is_hopeless(times[i], times, choosing.hopeless)) is_out[i] = 1;
    must(MPI_Bcast(is_out.data(), static_cast<int>(is_out.size()), MPI_UINT8_T, 0, comm_));
  }
  auto best = static_cast<std::uint64_t>(decide(times, {choosing.chance, choosing.gain}));
  must(MPI_Bcast(&best, 1, MPI_UINT64_T, 0, comm_));
  return {bytes, std::string(candidates[best].name), median_of(times[best]), median_of(times[0])};
}

std::string Chooser::text() const { return to_text(circumstances_, choices_); }

void Chooser::take(const ChoicesFile& file, const std::string& name) {
  const Circumstances& its = file.circumstances;
  if (its != circumstances_)
    throw Error(name,
                "was measured with " + counted(its.ranks, "rank") + " on " + counted(its.nodes, "node") + " under '" +
                    its.library + "'; these are " + std::to_string(circumstances_.ranks) + " on " +
                    std::to_string(circumstances_.nodes) + " under '" + circumstances_.library + "'",
                "measure again, with a file of its own for each");
  for (std::size_t i = 0; i < kCollectives; ++i) {
    const auto collective = static_cast<plumbline_collective>(i);
    for (const Choice& each : file.choices[i])
      if (find(collective, each.name) == nullptr)
        throw Error(name, std::string(name_of(collective)) + " has no implementation '" + each.name + "' here",
                    "add it before the file is read, or measure again");
  }
  for (std::size_t i = 0; i < kCollectives; ++i) take(static_cast<plumbline_collective>(i), file.choices[i]);
}

void Chooser::take(plumbline_collective collective, std::vector<Choice> choices) {
  choices_[collective] = std::move(choices);
  called_[collective].clear();
  told_[collective].clear();
  for (const Choice& each : choices_[collective]) {
    called_[collective].push_back({each.bytes, find(collective, each.name)});
    told_[collective].push_back({each.bytes, each.name.c_str(), each.seconds, each.library_seconds});
  }
}

const Candidate* Chooser::find(plumbline_collective collective, std::string_view name) const {
  for (const Candidate& each : candidates_[collective])
    if (each.name == name) return &each;
  return nullptr;
}

// MPIBlib's rule: M[i] <= bytes < M[i + 1]. Below the first size that one holds too.
const Candidate& Chooser::candidate_for(plumbline_collective collective, std::size_t bytes) const {
  const std::vector<Called>& called = called_[collective];
  if (called.empty()) return candidates_[collective].front();
  const auto beyond = std::upper_bound(called.begin(), called.end(), bytes,
                                       [](std::size_t size, const Called& each) { return size < each.bytes; });
  return *(beyond == called.begin() ? beyond : std::prev(beyond))->candidate;
}

const char* Chooser::chosen(plumbline_collective collective, std::size_t bytes) const {
  return candidate_for(collective, bytes).name.data();  // names are literals, or in names_
}

int Chooser::call(const Arguments& arguments) const {
  const Candidate& candidate = candidate_for(arguments.collective, size_of_message(arguments, rank_));
  if (candidate.ours != nullptr && !can_be_ours(arguments)) return choose::call(library_functions(), arguments, comm_);
  return choose::call(candidate, arguments, comm_);
}

}  // namespace plumbline::bench::choose
