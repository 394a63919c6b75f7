// Large messages one way: of one pair, of both directions, and of several pairs at once, which tells what they share.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "base/statistics/order.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/network/stations.hpp"
#include "bench/ranks/network/streaming.hpp"
#include "bench/ranks/network/switches.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr std::string_view kStations[] = {"nodes", "all"};
constexpr double kLongEnough = 20e-3;  // s of a stream alone: beside it, how ranks begin one after the other is little
constexpr std::uint32_t kFewestMessages = 4, kMostMessages = 4096;
constexpr std::uint32_t kFewestRepetitions = 6;
constexpr std::size_t kAloneOneByOne = 16;  // stations, up to which streams that are to be alone really are

constexpr FamilyParameter kStreamsParameters[] = {
    {"ranks", "\"nodes\": the first of each node, or all ranks where there is one node; \"all\"", "nodes", true},
    {"messages", "of each stream; 0: as many as take 20 ms alone, 4 at least", "0"},
    {"window", "messages of a stream under way at once", "4"},
    {"seconds", "for one round of streams; of longer ones there are six repetitions", "1"},
};

// [stream][repetition], on all ranks.
using Times = std::vector<std::vector<double>>;

std::vector<double> longest(const Times& times) {
  std::vector<double> result = times.front();
  for (const auto& of_stream : times)
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = std::max(result[i], of_stream[i]);
  return result;
}

class Streams {
 public:
  Streams(const Context& context, const Request& request, std::uint64_t bytes)
      : context_(context),
        request_(request),
        stations_(choice(request, "ranks", kStations) == 1 || context.places.hosts.size() < 2
                      ? all_ranks(context.places)
                      : first_ranks(context.places)),
        effort_(within(request.effort, number(request, "seconds"))) {
    shape_.bytes = bytes;
    shape_.window = static_cast<std::uint32_t>(count(request, "window", 1));
    shape_.messages = messages_that_take_long();
  }

  void measure() {
    const auto nodes = static_cast<std::uint32_t>(stations_.size());
    const std::vector<std::uint32_t> group_of = loaded(nodes);
    std::vector<StreamRound> rounds = {rings(group_of)};
    for (auto& more : {against(group_of), across(group_of)}) rounds.insert(rounds.end(), more.begin(), more.end());
    for (const StreamRound& round : undisturbed(streams_of(rounds), group_of, nodes <= kAloneOneByOne)) give(round);
    for (const StreamRound& round : rounds) give(round);
    for (const Experiment& each : fans(nodes)) give({each});
  }

 private:
  // --- Measuring

  Times run(const std::vector<Stream>& streams, const Effort& effort, const StreamShape& shape) {
    const int own = rank_in(context_.world);
    std::vector<int> to, from;
    std::vector<std::size_t> outgoing;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const int sender = static_cast<int>(stations_[streams[i].from]),
                receiver = static_cast<int>(stations_[streams[i].to]);
      if (own == receiver) from.push_back(sender);
      if (own != sender) continue;
      to.push_back(receiver);
      outgoing.push_back(i);
    }
    const auto streaming =
        together(context_.world, [&] { return std::make_unique<Streaming>(context_.world, to, from, shape); });
    const std::uint32_t repetitions = repetitions_of(*streaming, effort);
    std::vector<double> all(streams.size() * repetitions);
    for (std::uint32_t i = 0; i < repetitions; ++i) {
      const std::vector<double> seconds = streaming->run();
      for (std::size_t k = 0; k < outgoing.size(); ++k) all[outgoing[k] * repetitions + i] = seconds[k];
    }
    must(MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_MAX, context_.world));
    Times times;
    for (auto begin = all.begin(); begin != all.end(); begin += repetitions)
      times.emplace_back(begin, begin + repetitions);
    return times;
  }

  // Warms up, and finds how many go into the time; the same on all ranks.
  std::uint32_t repetitions_of(Streaming& streaming, const Effort& effort) const {
    const std::int64_t begin = now_ns();
    streaming.run();
    auto each = static_cast<double>(now_ns() - begin) * 1e-9;
    must(MPI_Allreduce(MPI_IN_PLACE, &each, 1, MPI_DOUBLE, MPI_MAX, context_.world));
    const double fit = std::min(effort.budget_s / std::max(each, 1e-9), 1e9);
    return std::clamp(static_cast<std::uint32_t>(fit), std::min(kFewestRepetitions, effort.least), effort.least);
  }

  std::uint32_t messages_that_take_long() {
    if (const std::uint64_t asked = count(request_, "messages"); asked > 0) return static_cast<std::uint32_t>(asked);
    StreamShape shape = shape_;
    shape.messages = kFewestMessages;
    Effort few = effort_;
    few.least = 3;
    const double took = statistics::median(run({{0, 1}}, few, shape).front());
    const double needed = std::ceil(kLongEnough / std::max(took, 1e-9) * shape.messages);
    return std::clamp(static_cast<std::uint32_t>(std::min(needed, 1e6)), kFewestMessages, kMostMessages);
  }

  // --- What is given, by rank 0

  Cell cell_of_streams(std::string_view part, const std::vector<Stream>& streams, std::size_t in_flight) const {
    Cell cell;
    cell.operation = request_.operation;
    cell.implementation = request_.implementation;
    cell.bytes = shape_.bytes;
    cell.words["part"] = part;
    cell.numbers["messages"] = shape_.messages;
    cell.in_flight = static_cast<std::uint32_t>(in_flight);
    for (const auto end : {&Stream::from, &Stream::to})
      for (const Stream& stream : streams) {
        const std::uint32_t rank = stations_[stream.*end];
        const bool is_hub = !cell.ranks.empty() && cell.ranks.back() == rank;  // of "into" and "out_of": once
        if (!is_hub) cell.ranks.push_back(rank);
      }
    return cell;
  }

  void give_cell(Cell cell, const std::vector<double>& seconds) const {
    fill(cell, counted_, seconds, false);
    context_.give(std::move(cell));
  }

  // Of "against", "both" and "alone" each stream has a cell; of others all streams together.
  void give_experiment(const Experiment& each, const Times& times, std::size_t in_flight) const {
    const bool one_cell = each.part == "across" || each.part == "into" || each.part == "out_of";
    if (one_cell) return give_cell(cell_of_streams(each.part, each.streams, in_flight), longest(times));
    for (std::size_t i = 0; i < each.streams.size(); ++i) {
      Cell cell = cell_of_streams(each.part, {each.streams[i]}, in_flight);
      if (each.part == "against") {
        const Stream& other = each.streams[1 - i];
        cell.numbers["other_a"] = stations_[other.from];
        cell.numbers["other_b"] = stations_[other.to];
      }
      give_cell(std::move(cell), times[i]);
    }
  }

  void give(const StreamRound& round) {
    const std::vector<Stream> streams = streams_of({round});
    const Times times = run(streams, effort_, shape_);
    std::size_t at = 0;
    for (const Experiment& each : round) {
      const auto begin = times.begin() + static_cast<std::ptrdiff_t>(at);
      at += each.streams.size();
      give_experiment(each, Times(begin, times.begin() + static_cast<std::ptrdiff_t>(at)), streams.size());
    }
  }

  // --- What is measured

  static std::vector<Stream> streams_of(const std::vector<StreamRound>& rounds) {
    std::vector<Stream> all;
    for (const StreamRound& round : rounds)
      for (const Experiment& each : round) all.insert(all.end(), each.streams.begin(), each.streams.end());
    return all;
  }

  // All at once, in many ways: groups that look as if they were behind one switch; halves where that tells of
  // none, so that what streams do to each other is known there, too.
  std::vector<std::uint32_t> loaded(std::uint32_t nodes) {
    std::vector<std::uint32_t> group_of(nodes, 0);
    if (nodes < 4) return group_of;
    const std::vector<Experiment> rounds = loaded_rounds(nodes);
    Times medians;
    for (std::size_t round = 0; round < rounds.size(); ++round) {
      const Times times = run(rounds[round].streams, effort_, shape_);
      medians.emplace_back();
      for (std::size_t i = 0; i < times.size(); ++i) {
        medians.back().push_back(statistics::median(times[i]));
        Cell cell = cell_of_streams("all", {rounds[round].streams[i]}, times.size());
        cell.numbers["round"] = static_cast<double>(round);
        give_cell(std::move(cell), times[i]);
      }
    }
    group_of = groups_of(nodes, rounds, medians);
    if (against(group_of).empty())
      for (std::uint32_t node = 0; node < nodes; ++node) group_of[node] = node < nodes / 2 ? 0 : 1;
    else
      context_.note(
          fmt::format("streams: by which of them are slowed, nodes are in groups {}", fmt::join(group_of, " ")));
    return group_of;
  }

  // Into the first station, and out of it, from and to twice as many each time.
  static std::vector<Experiment> fans(std::uint32_t nodes) {
    std::vector<Experiment> all;
    for (std::uint32_t others = 2; nodes > 2; others *= 2) {
      const std::uint32_t number = std::min(others, nodes - 1);
      Experiment into{"into", {}}, out_of{"out_of", {}};
      for (std::uint32_t other = 1; other <= number; ++other) {
        into.streams.push_back({other, 0});
        out_of.streams.push_back({0, other});
      }
      all.push_back(into);
      all.push_back(out_of);
      if (number == nodes - 1) break;
    }
    return all;
  }

  const Context& context_;
  const Request& request_;
  std::vector<std::uint32_t> stations_;
  Effort effort_;
  Effort counted_ = counted(effort_, 1);  // for the name of the rule
  StreamShape shape_;
};

void measure_streams(const Context& context, const Request& request) {
  if (largest_of(request) > 0x7fffffff)
    throw Error("streams", "messages of 2 GiB and more are not measured", "give smaller sizes");
  for (const std::uint64_t size : sizes_of(request)) Streams(context, request, size).measure();
}

}  // namespace

const Family kStreams = {
    "streams",          "large messages one way, of one pair and of several at once: rates, and what pairs share",
    "a message",        kOnlyLibrary,
    kStreamsParameters, 2,
    measure_streams};

}  // namespace plumbline::bench::network
