// What the viewer's index costs: to make it, to open it again, and to hand out the strips of a full view.
// Usage: viewer_index_bench [operations] [ranks]; with the word "fold" behind them, all ranks are one lane too.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/perf/cpu_time.hpp"
#include "tests/support/temporary_directory.hpp"
#include "viewer/index/kept/index_file.hpp"
#include "viewer/index/lanes/fold_strips.hpp"
#include "viewer/index/lanes/lane_strips.hpp"
#include "viewer/index/lanes/lanes.hpp"
#include "viewer/index/pyramid/ranges.hpp"
#include "viewer/index/pyramid/search.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/runs/marks.hpp"

namespace plumbline::viewer {
namespace {

using perf::cpu_seconds;

constexpr std::uint32_t kPixels = 1920, kLanes = 128;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Resident pages of memory, and of files, which the kernel may take back.
std::string resident() {
  std::ifstream status("/proc/self/status");
  double anonymous = 0, of_files = 0;
  for (std::string word; status >> word;) {
    if (word == "RssAnon:") status >> anonymous;
    if (word == "RssFile:") status >> of_files;
  }
  return fmt::format("resident {:.2f} GB, and {:.2f} GB of files", anonymous * 1024e-9, of_files * 1024e-9);
}

// Bursts of short messages between long reductions and computation, each rank by its own.
class Workload {
 public:
  explicit Workload(std::uint64_t seed) : random_(seed) {}

  replay::OperationTimes next(std::uint32_t i) {
    const bool is_long = i % 37 == 0;
    now_ += nanoseconds(is_long ? 40'000 : 200 + static_cast<std::int64_t>(random_() % 2000));
    const Time begin = now_;
    now_ += nanoseconds(is_long ? 10'000 + static_cast<std::int64_t>(random_() % 90'000)
                                : 300 + static_cast<std::int64_t>(random_() % 3000));
    return {begin, now_};
  }
  std::uint64_t random() { return random_(); }

 private:
  std::mt19937_64 random_;
  Time now_;
};

replay::Program make_program(const std::filesystem::path& file, std::uint32_t ranks, std::uint32_t each) {
  replay::ProgramBuilder builder(file);
  std::vector<std::uint32_t> everybody(ranks);
  std::iota(everybody.begin(), everybody.end(), 0U);
  const std::uint32_t world = builder.comm(everybody);
  const std::uint16_t send = builder.call("MPI_Send"), wait = builder.call("MPI_Wait");
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    Workload work(rank);
    builder.begin_rank(builder.node(fmt::format("n{}", rank / 32)), 32);
    for (std::uint32_t i = 0; i < each; ++i) {
      const bool sends = i % 3 != 0;
      replay::Operation operation;
      operation.kind = sends ? replay::OpKind::kSend : replay::OpKind::kWait;
      operation.call = sends ? send : wait;
      operation.comm = sends ? world : replay::kNone;
      operation.peer = sends ? static_cast<std::int32_t>((rank + 1) % ranks) : replay::kNoPeer;
      builder.add(operation, work.next(i));
    }
    builder.end_rank(0);
  }
  return builder.finish();
}

replay::ExpectedRank make_columns(std::span<const replay::OperationTimes> times, Workload& work,
                                  const Scratch& scratch) {
  replay::ExpectedRank columns = replay::columns_in(scratch);
  for (const replay::OperationTimes& t : times) {
    const Duration observed = t.end - t.begin;
    const Duration expected{observed.ps - static_cast<std::int64_t>(work.random() % 1000) * observed.ps / 2000};
    columns.free.push_back({t.begin, t.begin + expected});
    for (auto* column : {&columns.lower, &columns.upper, &columns.as_run, &columns.as_run_upper})
      column->push_back(expected);
    columns.band.push_back(Duration{observed.ps / 20});
    columns.ideal_io.push_back(0);
    columns.not_judged.push_back(work.random() % 500 == 0 ? 0 : replay::kNone);
  }
  return columns;
}

Runs make_runs(const std::filesystem::path& directory, std::uint32_t ranks, std::uint32_t each) {
  Runs runs{.observed = make_program(directory / "program", ranks, each), .expected = {}, .comparison = {}};
  replay::Expected& expected = runs.expected.emplace();
  expected.scratch = scratch_in(directory);
  expected.reasons = {"a reason"};
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    Workload work(rank + 1000);
    expected.ranks.push_back(make_columns(runs.observed.rank(rank).times, work, expected.scratch));
  }
  set_marks(runs);
  return runs;
}

// The strips that the page asks for to show [begin, begin + length) of the run.
struct View {
  unsigned level = 0;
  std::uint32_t first = 0, last = 0;
};

View view_of(const Pyramid& pyramid, double begin, double length) {
  const auto base = static_cast<double>(pyramid.base_ps);
  const double level = std::floor(std::log2(base / kColumns / (length / kPixels)));
  View view;
  view.level = static_cast<unsigned>(std::clamp(level, 0.0, static_cast<double>(pyramid.most_level)));
  const double strip = base / std::exp2(view.level);
  const double most = std::exp2(view.level) - 1;
  view.first = static_cast<std::uint32_t>(std::min(most, begin / strip));
  view.last = static_cast<std::uint32_t>(std::min(most, (begin + length) / strip));
  return view;
}

// So many bytes: the strips of all lanes, and their operations where they are few.
std::size_t read_view(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, const View& view) {
  std::size_t bytes = 0;
  const auto ranks = std::min<std::uint32_t>(kLanes, runs.observed.ranks());
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    for (std::uint32_t x = view.first; x <= view.last; ++x) {
      const Strip strip = strip_of(runs, pyramid, source, rank, view.level, x);
      bytes += sizeof strip.planes;
      if (strip.operations <= kMostBoxes)
        bytes += 32 * operations_in(source, rank, range_of(pyramid, source, view.level, x), kMostBoxes).size();
    }
  return bytes;
}

struct Quantiles {
  double median = 0, p95 = 0, most = 0;
};

Quantiles quantiles(std::vector<double> samples) {
  std::ranges::sort(samples);
  const auto at = [&](double share) {
    return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1))];
  };
  return {at(0.5), at(0.95), samples.back()};
}

// Views of any size, each as likely as one of half its size, from the whole run down to some microseconds.
template <class Read>
void time_views(const char* what, const Runs& runs, const Pyramid& pyramid, int views, Read read) {
  std::mt19937_64 random(1);
  std::vector<double> milliseconds;
  std::size_t bytes = 0;
  const auto span = static_cast<double>(span_of(runs.observed).length.ps);
  for (int i = 0; i < views; ++i) {
    const double halvings = i == 0 ? 0 : std::uniform_real_distribution(0.0, std::log2(span / 2e6))(random);
    const double length = span / std::exp2(halvings);
    const double begin = std::uniform_real_distribution(0.0, std::max(span - length, 1.0))(random);
    const View view = view_of(pyramid, begin, length);
    const double before = wall_seconds();
    bytes += read(view);
    milliseconds.push_back((wall_seconds() - before) * 1e3);
  }
  const double whole = milliseconds.front();
  const Quantiles all = quantiles(milliseconds);
  fmt::print("{}: median {:.1f} ms, 95 % {:.1f} ms, most {:.1f} ms, the whole run {:.1f} ms; {:.1f} MB a view\n", what,
             all.median, all.p95, all.most, whole,
             static_cast<double>(bytes) / static_cast<double>(milliseconds.size()) * 1e-6);
}

// One lane of all ranks.
void time_folded_views(const Runs& runs, const Pyramid& pyramid, std::vector<std::uint32_t> ranks) {
  Folds folds;
  folds.folds.emplace_back().ranks = std::move(ranks);
  const double before = cpu_seconds();
  const std::vector<FoldStrips> kept = make_fold_strips(runs, pyramid, folds);
  std::size_t bytes = 0;
  for (const FoldStrips& each : kept) bytes += each.strips.size() * sizeof(Strip);
  fmt::print("strips of the lane of all ranks, {} levels: {:.2f} s CPU, {:.1f} MB\n", kept.empty() ? 0 : kept[0].levels,
             cpu_seconds() - before, static_cast<double>(bytes) * 1e-6);
  time_views("views, all ranks as one lane", runs, pyramid, 60, [&](const View& view) {
    const Strip* const first = find_strip(kept, 0, 0, view.level, view.first);
    const std::size_t strips = view.last - view.first + 1;
    if (first != nullptr) return std::vector<Strip>(first, first + strips).size() * sizeof(Planes);
    return strips_of_ranks(runs, pyramid, pyramid.sources[0], folds.folds[0].ranks, view.level, view.first, view.last)
               .size() *
           sizeof(Planes);
  });
}

void time_index(const Runs& runs, const std::filesystem::path& directory, double operations) {
  const std::vector<std::filesystem::path> places = {directory / "index"};
  const double cpu = cpu_seconds();
  double before = wall_seconds();
  bool made = false;
  stored_pyramid(runs, places, {}, &made);
  const double making = cpu_seconds() - cpu;
  const auto bytes = static_cast<double>(std::filesystem::file_size(places[0]));
  fmt::print("index of {:.0f} million operations, observed and free: {:.2f} s CPU, {:.1f} million operations/s\n",
             operations * 1e-6, making, operations * 1e-6 / making);
  fmt::print("with its file: {:.2f} s, {:.0f} MB, {:.0f} B an operation\n", wall_seconds() - before, bytes * 1e-6,
             bytes / operations);
  before = wall_seconds();
  stored_pyramid(runs, places, {}, &made);
  fmt::print("opened again{}: {:.2f} s\n", made ? " (made again)" : "", wall_seconds() - before);
}

void run(std::uint32_t operations, std::uint32_t ranks, bool folds) {
  const test::TemporaryDirectory directory;
  const std::uint32_t each = operations / ranks;
  const Runs runs = make_runs(directory.path(), ranks, each);
  fmt::print("{} ranks, {} operations each, {:.2f} s of run; {}\n", ranks, each,
             span_of(runs.observed).length.seconds(), resident());
  time_index(runs, directory.path(), static_cast<double>(each) * ranks);
  const double before = wall_seconds();
  const std::vector<std::filesystem::path> places = {directory / "index"};
  const Pyramid pyramid = stored_pyramid(runs, places);
  const Lanes lanes = make_lanes(runs);
  const double opened = wall_seconds();
  const View whole = view_of(pyramid, 0, static_cast<double>(span_of(runs.observed).length.ps));
  read_view(runs, pyramid, pyramid.sources[0], whole);
  fmt::print("stored index, lanes and first view: {:.2f} s, of which the view {:.0f} ms\n", wall_seconds() - before,
             (wall_seconds() - opened) * 1e3);
  for (const PyramidSource& source : pyramid.sources)
    time_views(source.number == 0 ? "views, observed" : "views, free", runs, pyramid, 400,
               [&](const View& view) { return read_view(runs, pyramid, source, view); });
  if (folds) {
    std::vector<std::uint32_t> all(ranks);
    std::iota(all.begin(), all.end(), 0U);
    time_folded_views(runs, pyramid, std::move(all));
  }
  fmt::print("stored levels {}; {}\n", pyramid.stored_levels, resident());
}

}  // namespace
}  // namespace plumbline::viewer

int main(int argc, char** argv) {
  const auto number = [&](int i, unsigned long otherwise) {
    return static_cast<std::uint32_t>(argc > i ? std::strtoul(argv[i], nullptr, 10) : otherwise);
  };
  const std::uint32_t operations = number(1, 10'000'000), ranks = std::max(number(2, 128), 1U);
  plumbline::viewer::run(operations, ranks, argc > 3 && argv[3] == std::string_view("fold"));
  return 0;
}
