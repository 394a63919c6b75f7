// Who waited for whom: chains of causes, critical paths, messages and maps of time.

#include <string_view>

#include "viewer/index/aggregates/messages.hpp"
#include "viewer/index/aggregates/phases.hpp"
#include "viewer/index/runs/parts.hpp"
#include "viewer/index/waits/cause_step.hpp"
#include "viewer/index/waits/causes.hpp"
#include "viewer/index/waits/critical_path.hpp"
#include "viewer/server/analyses/query.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/json_response.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPieces = 10'000, kMostMessages = 10'000, kMostPoints = 4096;

Json step_json(const Opened& opened, const CauseStep& step) {
  const replay::Program& program = opened.runs.observed;
  const replay::Operation& op = program.rank(step.operation.rank).operations[step.operation.operation];
  const Parts parts = parts_of(opened.runs, step.operation.rank, step.operation.operation);
  const bool computes = step.why == Why::kCompute;
  return {{"rank", step.operation.rank},
          {"operation", step.operation.operation},
          {"call", program.call(op.call)},
          {"site", program.site(op.site)},
          {"begin_ps", since_begin(opened, step.begin)},
          {"end_ps", since_begin(opened, step.end)},
          {"own_ps", parts.own.ps},
          {"inherited_ps", parts.inherited.ps},
          {"compute_ps", computes ? (step.end - step.begin).ps : 0},
          {"explains_ps", step.explains.ps},
          {"why", word(step.why)}};
}

void require_comparison(const Opened& opened) {
  if (!opened.runs.is_compared()) throw BadRequest{409, "a recording alone is shown: there is no other run"};
}

Json bundle_json(const Opened& opened, const MessageBundle& bundle) {
  return {{"from", {{"rank", bundle.from}, {"operation", nullptr}}},
          {"to", {{"rank", bundle.to}, {"operation", nullptr}}},
          {"sent_ps", since_begin(opened, bundle.first_sent)},
          {"received_ps", since_begin(opened, bundle.last_received)},
          {"bytes", bundle.bytes},
          {"tag", nullptr},
          {"count", bundle.count}};
}

Json message_json(const Opened& opened, const Message& message) {
  return {{"from", id_json(message.from)},
          {"to", id_json(message.to)},
          {"sent_ps", since_begin(opened, message.sent)},
          {"received_ps", since_begin(opened, message.received)},
          {"bytes", message.bytes},
          {"tag", message.tag}};
}

Json map_json(const Opened& opened, const TimeMap& map) {
  const Time begin = span_of(opened.runs.observed).begin, zero = reference_zero(opened.runs);
  Json observed = Json::array(), free = Json::array();
  for (const Time time : map.observed) observed.push_back((time - begin).ps);
  for (const Time time : map.free) free.push_back((time - zero).ps);
  return {{"observed_ps", std::move(observed)}, {"free_ps", std::move(free)}};
}

}  // namespace

Response causes(Opened& opened, const Query& query) {
  const Causes found = causes_of(opened.runs, opened.matches, asked_operation(opened, query));
  Json steps = Json::array();
  for (const CauseStep& step : found.steps) steps.push_back(step_json(opened, step));
  return json_response({{"steps", std::move(steps)},
                        {"own_ps", found.own.ps},
                        {"inherited_ps", found.inherited.ps},
                        {"waited_ps", found.waited.ps},
                        {"explained_ps", found.explained.ps},
                        {"by_time", found.by_time},
                        {"sentence", found.sentence}});
}

Response critical_path(Opened& opened, const Query& query) {
  const bool is_free = asked_word(query, "s", {"obs", "free"}) == 1;
  if (is_free) require_comparison(opened);
  const CriticalPath path =
      critical_path_of(opened.runs, opened.matches, is_free ? TimesOf::kFree : TimesOf::kObserved, kMostPieces);
  const Time zero = is_free ? reference_zero(opened.runs) : span_of(opened.runs.observed).begin;
  Json pieces = Json::array(), by_call = Json::array();
  for (const PathPiece& piece : path.pieces)
    pieces.push_back({{"rank", piece.rank},
                      {"begin_ps", (piece.begin - zero).ps},
                      {"end_ps", (piece.end - zero).ps},
                      {"operation", piece.operation == replay::kNone ? Json(nullptr) : Json(piece.operation)},
                      {"joined", piece.joined}});
  for (const PathTime& time : path.by_call) by_call.push_back({{"call", time.call}, {"ps", time.time.ps}});
  return json_response({{"pieces", std::move(pieces)}, {"by_call", std::move(by_call)}});
}

Response messages(Opened& opened, const Query& query) {
  const Messages found =
      messages_of(opened.runs, opened.matches, asked_range(opened, query), asked_ranks(opened, query), kMostMessages);
  Json list = Json::array();
  for (const Message& message : found.messages) list.push_back(message_json(opened, message));
  for (const MessageBundle& bundle : found.bundles) list.push_back(bundle_json(opened, bundle));
  return json_response({{"aggregated", !found.bundles.empty()}, {"messages", std::move(list)}, {"total", found.total}});
}

Response phases(Opened& opened, const Query& query) {
  require_comparison(opened);
  asked_word(query, "by", {"all"});
  const std::uint32_t ranks = opened.runs.observed.ranks();
  const bool of_rank = query.values.contains("0");
  const TimeMap map =
      of_rank ? map_of_rank(opened.runs, static_cast<std::uint32_t>(query.number("0", 0, ranks - 1)), kMostPoints)
              : common_map(opened.runs, opened.matches, kMostPoints);
  return json_response({{"phases", Json::array({map_json(opened, map)})}});
}

}  // namespace plumbline::viewer
