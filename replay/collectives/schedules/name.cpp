#include "replay/collectives/schedules/name.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

// One direction of one rank. Messages from a to b that were posted for any source may stand in any order.
struct Posts {
  std::vector<Transfer> transfers;
  struct Run {
    std::size_t begin, end;
  };
  std::vector<Run> unordered;
};

Posts expected_posts(const Schedule& schedule, bool sends) {
  Posts posts;
  for (const Round& round : schedule) {
    std::size_t any = 0;
    for (const Transfer& transfer : round.posted) {
      if (transfer.send != sends) continue;
      posts.transfers.push_back(transfer);
      any += transfer.any_source ? 1 : 0;
    }
    if (any > 1) posts.unordered.push_back({posts.transfers.size() - any, posts.transfers.size()});
  }
  return posts;
}

std::vector<Transfer> observed_posts(std::span<const Transfer> all, bool sends) {
  std::vector<Transfer> some;
  for (const Transfer& transfer : all)
    if (transfer.send == sends) some.push_back(transfer);
  return some;
}

void sort_unordered(std::vector<Transfer>& transfers, const Posts& posts) {
  for (const Posts::Run& run : posts.unordered) {
    if (run.end > transfers.size()) return;
    std::sort(transfers.begin() + static_cast<std::ptrdiff_t>(run.begin),
              transfers.begin() + static_cast<std::ptrdiff_t>(run.end), [](const Transfer& a, const Transfer& b) {
                return a.peer != b.peer ? a.peer < b.peer : a.bytes < b.bytes;
              });
  }
}

std::string words(const Transfer& transfer) {
  return std::to_string(transfer.bytes) + " B " + (transfer.send ? "to " : "from ") + std::to_string(transfer.peer);
}

std::optional<std::string> difference_of_direction(std::uint32_t rank, const Schedule& schedule,
                                                   std::span<const Transfer> all, bool sends) {
  Posts expected = expected_posts(schedule, sends);
  std::vector<Transfer> observed = observed_posts(all, sends);
  sort_unordered(observed, expected);
  sort_unordered(expected.transfers, expected);
  for (std::size_t i = 0; i < std::max(expected.transfers.size(), observed.size()); ++i) {
    const Transfer* wanted = i < expected.transfers.size() ? &expected.transfers[i] : nullptr;
    const Transfer* seen = i < observed.size() ? &observed[i] : nullptr;
    if (wanted != nullptr && seen != nullptr && wanted->peer == seen->peer && wanted->bytes == seen->bytes) continue;
    return "rank " + std::to_string(rank) + (sends ? ", send " : ", receive ") + std::to_string(i) + ": expected " +
           (wanted != nullptr ? words(*wanted) : "none") + ", observed " + (seen != nullptr ? words(*seen) : "none");
  }
  return std::nullopt;
}

bool fits(const Algorithm& algorithm, const Call& call, const Observed& observed) {
  try {
    return effective(algorithm, call) == algorithm && !first_difference(algorithm, call, observed);
  } catch (const Error&) {  // it cannot run this call
    return false;
  }
}

}  // namespace

std::optional<std::string> first_difference(const Algorithm& algorithm, const Call& call, const Observed& observed) {
  if (observed.ranks.size() != call.ranks)
    return "expected " + std::to_string(call.ranks) + " ranks, observed " + std::to_string(observed.ranks.size());
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank) {
    const Schedule schedule = schedule_of(algorithm, call, rank);
    for (const bool sends : {true, false})
      if (auto difference = difference_of_direction(rank, schedule, observed.ranks[rank], sends)) return difference;
  }
  return std::nullopt;
}

std::vector<Algorithm> algorithms_that_fit(std::string_view library, const Call& call, const Observed& observed) {
  const Algorithm own = choice_of(library, call);
  std::vector<Algorithm> found;
  if (fits(own, call, observed)) found.push_back(own);
  for (const Algorithm& algorithm : algorithms_for(library, call.operation))
    if (algorithm != own && fits(algorithm, call, observed)) found.push_back(algorithm);
  return found;
}

}  // namespace plumbline::replay::collectives::schedules
