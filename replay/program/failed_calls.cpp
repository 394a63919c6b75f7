#include "replay/program/failed_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace plumbline::replay {
namespace {

constexpr std::string_view kFailed = "failed: ", kEnded = ", and the process ended in this call";

}  // namespace

std::string reason_of_failure(std::string_view error_class, bool ended) {
  return fmt::format("{}{}{}", kFailed, error_class, ended ? kEnded : "");
}

std::optional<Failure> failure_of(std::string_view reason) {
  if (!reason.starts_with(kFailed)) return std::nullopt;
  reason.remove_prefix(kFailed.size());
  const bool ended = reason.ends_with(kEnded);
  if (ended) reason.remove_suffix(kEnded.size());
  return Failure{reason, ended};
}

bool is_refused(std::string_view call, std::string_view reason) {
  return failure_of(reason) && !call.starts_with("MPI_File_");
}

std::vector<FailedCalls> failed_calls(const Program& program) {
  std::map<std::tuple<std::uint16_t, std::uint32_t, std::uint32_t>, FailedCalls> found;  // by call, reason, site
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& part = program.rank(rank);
    for (const Reason& reason : part.reasons) {
      const std::optional<Failure> failure = failure_of(program.reason(reason.text));
      if (!failure) continue;
      const Operation& operation = part.operations[reason.operation];
      FailedCalls& calls = found[{operation.call, reason.text, operation.site}];
      if (calls.times++ == 0) {
        calls.call = program.call(operation.call);
        calls.error_class = failure->error_class;
        calls.site = program.site(operation.site);
        calls.ended = failure->ended;
      }
      if (calls.ranks.empty() || calls.ranks.back() != rank) calls.ranks.push_back(rank);
    }
  }
  std::vector<FailedCalls> list;
  for (auto& [key, calls] : found) list.push_back(std::move(calls));
  std::ranges::stable_sort(list, std::ranges::greater(), &FailedCalls::times);
  return list;
}

std::uint64_t count(const std::vector<FailedCalls>& failed) {
  std::uint64_t times = 0;
  for (const FailedCalls& calls : failed) times += calls.times;
  return times;
}

}  // namespace plumbline::replay
