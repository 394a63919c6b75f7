#include "bench/ranks/network/rank_pair.hpp"

#include <sched.h>

#include <algorithm>
#include <climits>

#include "base/error.hpp"
#include "base/statistics/order.hpp"
#include "bench/stopping.hpp"

namespace plumbline::bench::network {
namespace {

constexpr int kData = 11, kWords = 12, kNobodys = 13;  // tags
constexpr std::size_t kFewest = 6;                     // repetitions, of which there is an interval of the median
constexpr double kShort = 1e-3;                        // s
constexpr std::int64_t kLongWait = 50'000;             // ns

std::int64_t measure_clock() {
  std::vector<double> costs;
  for (int i = 0; i < 101; ++i) {
    const std::int64_t begin = now_ns();
    costs.push_back(static_cast<double>(now_ns() - begin));
  }
  return static_cast<std::int64_t>(statistics::median(costs));
}

struct Orders {
  std::uint32_t unrecorded = 0, recorded = 0;  // repetitions; none to record: it is over
};

StopRule rule_of(const Effort& effort) {
  StopRule rule;
  rule.by = effort.stop == "count" ? StopBy::kCount : effort.stop == "Student" ? StopBy::kStudent : StopBy::kMedian;
  rule.least = effort.stop == "count" ? effort.most : effort.least;
  rule.most = effort.most;
  rule.confidence = effort.confidence;
  rule.precision = effort.precision;
  return rule;
}

Orders next_orders(const Samples& samples, const StopRule& rule, double budget, double elapsed) {
  const std::size_t all = samples.seconds.size(), fewest = std::min<std::size_t>(kFewest, rule.least);
  if (all >= rule.most || (all >= rule.least && assess(samples.seconds, rule).enough)) return {};
  std::size_t wanted = all < rule.least ? rule.least - all : std::max<std::size_t>(all / 2, 4);
  wanted = std::min(wanted, rule.most - all);
  const double each = elapsed / static_cast<double>(all);
  if (budget > 0) {
    const double left = std::clamp((budget - elapsed) / std::max(each, 1e-9), 0.0, 1e9);
    wanted = std::min(wanted, std::max(static_cast<std::size_t>(left), fewest - std::min(fewest, all)));
  }
  return {each < kShort ? 1u : 0u, static_cast<std::uint32_t>(wanted)};
}

int as_count(std::uint64_t bytes) { return static_cast<int>(bytes); }

}  // namespace

std::int64_t clock_cost_ns() {
  static const std::int64_t cost = measure_clock();
  return cost;
}

std::int64_t since_ns(std::int64_t begin_ns) {
  return std::max<std::int64_t>(now_ns() - begin_ns - clock_cost_ns(), 0);
}

std::int64_t spin(std::int64_t ns) {
  const std::int64_t begin = now_ns();
  std::int64_t now = begin;
  while (now - begin < ns) {
    if (ns - (now - begin) > kLongWait) sched_yield();
    now = now_ns();
  }
  return now - begin - ns;
}

RankPair::RankPair(MPI_Comm comm, const Pair& pair, std::uint64_t largest)
    : comm_(comm),
      leads_(rank_in(comm) == static_cast<int>(pair.a)),
      other_(static_cast<int>(leads_ ? pair.b : pair.a)) {
  if (largest > INT_MAX) throw Error("", "messages of 2 GiB and more are not measured", "give smaller sizes");
  out_.assign(largest, 1);
  in_.assign(largest, 1);
  clock_cost_ns();
}

void RankPair::send(std::uint64_t bytes) {
  must(MPI_Send(out_.data(), as_count(bytes), MPI_BYTE, other_, kData, comm_));
}

void RankPair::receive(std::uint64_t bytes) {
  must(MPI_Recv(in_.data(), as_count(bytes), MPI_BYTE, other_, kData, comm_, MPI_STATUS_IGNORE));
}

MPI_Request RankPair::isend(std::uint64_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  must(MPI_Isend(out_.data(), as_count(bytes), MPI_BYTE, other_, kData, comm_, &request));
  return request;
}

MPI_Request RankPair::irecv(std::uint64_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  must(MPI_Irecv(in_.data(), as_count(bytes), MPI_BYTE, other_, kData, comm_, &request));
  return request;
}

void RankPair::be_in_calls_for(std::int64_t ns) const {
  const std::int64_t end = now_ns() + ns;
  int flag = 0;
  while (now_ns() < end) must(MPI_Iprobe(other_, kNobodys, comm_, &flag, MPI_STATUS_IGNORE));
}

void RankPair::find() const { must(MPI_Probe(other_, kData, comm_, MPI_STATUS_IGNORE)); }

double RankPair::round_trip(std::uint64_t bytes) {
  const std::int64_t begin = now_ns();
  if (leads_) {
    send(bytes);
    receive(bytes);
  } else {
    receive(bytes);
    send(bytes);
  }
  return static_cast<double>(since_ns(begin)) * 1e-9;
}

double RankPair::round_trip_waited_for(std::uint64_t bytes, std::int64_t ns) {
  if (leads_) be_in_calls_for(ns);
  const std::int64_t begin = now_ns();
  std::int64_t taken = 0, paused = 0;
  if (leads_) {
    send(bytes);
    receive(bytes);
    taken = since_ns(begin);
  } else {
    receive(bytes);
    const std::int64_t pause = now_ns();
    be_in_calls_for(ns);
    paused = since_ns(pause);
    send(bytes);
  }
  told(char{});  // the other one's pause is asked for: sent unasked, it would be work beside the answer
  paused = reported(paused);
  return static_cast<double>(std::max<std::int64_t>(taken - paused, 0)) * 1e-9;
}

void RankPair::exchange(void* data, std::size_t bytes, bool sends) const {
  if (sends)
    must(MPI_Send(data, as_count(bytes), MPI_BYTE, other_, kWords, comm_));
  else
    must(MPI_Recv(data, as_count(bytes), MPI_BYTE, other_, kWords, comm_, MPI_STATUS_IGNORE));
}

Samples repeat(const RankPair& pair_of_ranks, const Effort& effort, const std::function<Once()>& once) {
  const StopRule rule = rule_of(effort);
  Samples samples;
  Orders orders{std::max(effort.warm_up, 1u), 1};
  const std::int64_t begin = now_ns();
  std::int64_t unrecorded = 0;
  while (true) {
    orders = pair_of_ranks.told(orders);
    if (orders.recorded == 0) break;
    const std::int64_t batch = now_ns();
    for (std::uint32_t i = 0; i < orders.unrecorded; ++i) once();
    unrecorded += now_ns() - batch;
    for (std::uint32_t i = 0; i < orders.recorded; ++i) {
      const Once each = once();
      samples.seconds.push_back(std::max(each.seconds, 1e-9));
      samples.others.push_back(std::max(each.others, 1e-9));
    }
    const double elapsed = static_cast<double>(now_ns() - begin - unrecorded) * 1e-9;
    if (pair_of_ranks.leads()) orders = next_orders(samples, rule, effort.budget_s, elapsed);
  }
  samples.reached = effort.stop != "count" && assess(samples.seconds, rule).reached;
  return samples;
}

double typical_trip(RankPair& pair_of_ranks, std::uint64_t bytes) {
  double least = 1e9;
  for (int i = 0; i < 4; ++i) least = std::min(least, pair_of_ranks.round_trip(bytes));
  return pair_of_ranks.told(least);
}

}  // namespace plumbline::bench::network
