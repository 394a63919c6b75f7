#include "viewer/report/inlined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "base/quantity.hpp"
#include "viewer/report/answers.hpp"
#include "viewer/report/inlined_strips.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLanes = 256, kMostComponents = 64;  // that are shown
constexpr std::size_t kInstances = 20;                         // of a finding
constexpr std::size_t kMostInside = 60;                        // parts of an operation
// Details of one operation look at all operations once; so many are looked at in all.
constexpr std::uint64_t kMostLookedAt = 1'000'000'000;
constexpr std::size_t kLeastDetails = 20;
constexpr std::size_t kNotes = 4096;  // bytes, for what is said of the file itself

bool is_component(const Json& lane) { return lane["kind"] == "component"; }

class Inliner {
 public:
  Inliner(Opened& opened, std::size_t most) : opened_(opened), most_(most) {}

  Inlined make() {
    meta_ = answer_of(opened_, "meta");
    add_run();
    take(script_text(meta_).size() + kNotes);
    if (used_ > most_) return {{}, {"the timeline is left out: the findings alone fill the file"}};
    add_operations();
    add_strips();
    return finish();
  }

 private:
  void take(std::size_t bytes) { used_ += bytes; }
  std::size_t left() const { return most_ - std::min(used_, most_); }

  // Whether there was room for it in `share` bytes more.
  bool add_answer(const std::string& path, const Json& answer, std::size_t share) {
    if (answer.is_null()) return true;
    std::string text = fmt::format("{}:{}", script_text(path), script_text(answer));
    if (text.size() + 1 > share) return false;
    take(text.size() + 1);
    answers_.push_back(std::move(text));
    return true;
  }

  void say(std::string sentence) { left_out_.push_back(std::move(sentence)); }

  void add_run() {
    report_ = answer_of(opened_, "report");
    shorten_rows();
    add_answer("report", report_, SIZE_MAX);
    const Json lanes = shown_lanes();
    for (const Json& lane : lanes["lanes"]) lanes_.push_back(lane["lane"].get<std::uint32_t>());
    for (const Json& lane : lanes["lanes"])
      if (lane["kind"] == "fold") worst_ranks_.push_back(lane["worst_rank"].get<std::uint32_t>());
    add_answer("lanes", lanes, SIZE_MAX);
    add_answer("aggregate/waterfall", answer_of(opened_, "aggregate/waterfall"), SIZE_MAX);
    if (!add_answer("validation", answer_of(opened_, "validation"), most_ / 10)) meta_["is_validation"] = false;
    if (!add_answer("phases", answer_of(opened_, "phases"), most_ / 10))
      say("the expected run stands where it began, not between common synchronisations");
  }

  // The first rows, which lost most; what refers to rows does so by their place.
  void shorten_rows() {
    if (!report_.is_object() || !report_.contains("rows")) return;
    if (script_text(report_["rows"]).size() > most_ / 5) {
      for (Json& row : report_["rows"]) row.erase("ranks");
      say("what each row of the report is on each rank is left out");
    }
    const std::size_t all = report_["rows"].size();
    std::size_t kept = 0, bytes = 0;
    for (const Json& row : report_["rows"]) {
      bytes += script_text(row).size();
      if (bytes > most_ / 5) break;
      ++kept;
    }
    if (kept == all) return;
    auto& rows = report_["rows"].get_ref<Json::array_t&>();
    rows.resize(kept);
    say(fmt::format("of {} rows of the report the {} that lost most are here", all, kept));
  }

  // Ranks, or where they are many those that behave alike as one; then components.
  Json shown_lanes() {
    const bool is_folded = opened_.runs.observed.ranks() > kMostLanes && !opened_.folds.folds.empty();
    const Json all = answer_of(opened_, fmt::format("lanes?fold={}", is_folded ? 1 : 0))["lanes"];
    const std::set<std::size_t> kept = kept_lanes(all);
    Json lanes = Json::array();
    for (const std::size_t i : kept) lanes.push_back(all[i]);
    if (kept.size() < all.size())
      say(fmt::format("of {} lanes {} are here: those of the greatest excess, and the busiest components", all.size(),
                      kept.size()));
    return {{"lanes", std::move(lanes)}};
  }

  static std::set<std::size_t> kept_lanes(const Json& all) {
    std::vector<std::pair<std::int64_t, std::size_t>> by_excess;
    std::set<std::size_t> kept;
    std::size_t components = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_component(all[i]))
        by_excess.emplace_back(-all[i]["own_ps"].get<std::int64_t>(), i);
      else if (components++ < kMostComponents)
        kept.insert(i);
    }
    std::ranges::sort(by_excess);
    by_excess.resize(std::min(by_excess.size(), kMostLanes));
    for (const auto& [excess, i] : by_excess) kept.insert(i);
    return kept;
  }

  // The worst of each finding, then the second worst of each, and so on.
  void find_instances() {
    if (!report_.is_object()) return;  // of a recording that nothing is held against
    const Json findings = report_.value("findings", Json::array());
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (std::size_t n = 0; n < kInstances; ++n) {
      for (const Json& finding : findings) {
        const Json instances = finding.value("instances", Json::array());
        if (n >= instances.size()) continue;
        const OperationId id{instances[n]["rank"].get<std::uint32_t>(), instances[n]["operation"].get<std::uint32_t>()};
        if (seen.emplace(id.rank, id.operation).second) instances_.push_back(id);
      }
      if (n == 0) firsts_ = instances_.size();
    }
  }

  void add_operations() {
    find_instances();
    const std::uint64_t operations = std::max<std::uint64_t>(meta_["operations"].get<std::uint64_t>(), 1);
    const std::size_t most_details = std::max<std::size_t>(kLeastDetails, kMostLookedAt / operations);
    const std::size_t share = left() * 2 / 5, begun = used_;
    std::size_t detailed = 0;
    for (const OperationId id : instances_) {
      if (detailed == most_details || !add_details(id, share - std::min(share, used_ - begun))) break;
      ++detailed;
    }
    if (detailed < instances_.size())
      say(fmt::format("of {} worst operations of the findings {} are here in detail", instances_.size(), detailed));
    add_list();
  }

  bool add_details(OperationId id, std::size_t share) {
    const std::string name = fmt::format("{}/{}", id.rank, id.operation);
    Json detail = answer_of(opened_, "operation/" + name);
    if (detail.is_null()) return true;
    auto& inside = detail["inside"].get_ref<Json::array_t&>();
    if (inside.size() > kMostInside) inside.resize(kMostInside);
    if (!add_answer("operation/" + name, detail, share)) return false;
    add_answer("causes/" + name, answer_of(opened_, "causes/" + name), share);
    for (const char* key : {"node", "row", "inner", "inside", "partner", "findings", "in_its_kind"}) detail.erase(key);
    add_operation(detail);
    return true;
  }

  void add_operation(const Json& operation) {
    if (!listed_.emplace(operation["rank"].get<std::uint32_t>(), operation["operation"].get<std::uint32_t>()).second)
      return;
    operations_.push_back(script_text(operation));
    take(operations_.back().size() + 1);
  }

  // The worst of the whole run.
  void add_list() {
    const Json page = answer_of(opened_, "operations?sort=own");
    if (page.is_null()) return;
    for (const Json& operation : page["operations"])
      if (left() > most_ / 4) add_operation(operation);
  }

  void add_strips() {
    std::vector<std::uint32_t> lanes = lanes_;
    lanes.insert(lanes.end(), worst_ranks_.begin(), worst_ranks_.end());
    for (const OperationId id : instances_) lanes.push_back(id.rank);
    std::ranges::sort(lanes);
    lanes.erase(std::ranges::unique(lanes).begin(), lanes.end());
    strips_ = inlined_strips(opened_, lanes, instances_, firsts_, left());
    say_what_strips_lack();
  }

  void say_what_strips_lack() {
    const unsigned most = opened_.pyramid.most_level;
    if (strips_.levels > most) return;
    if (strips_.levels == 0) return say("the timeline is left out: there is no room for its lanes");
    const Duration column{static_cast<std::int64_t>(opened_.pyramid.base_ps >> (strips_.levels - 1 + kColumnsLog2))};
    std::string text = fmt::format("the timeline has columns of {}", format(column));
    if (strips_.operations_around > 0)
      text += strips_.operations_around == instances_.size()
                  ? "; around the worst operations of each finding it has every operation"
                  : fmt::format("; around the {} worst operations of the findings it has every operation",
                                strips_.operations_around);
    say(text);
  }

  Inlined finish() {
    Json& notes = meta_["notes"];
    if (!notes.is_array()) notes = Json::array();
    for (const std::string& each : left_out_) notes.push_back("this file is not the whole recording: " + each);
    std::string json = "{\"format\":\"plumbline-inlined\",\"version\":1,\"answers\":{\"meta\":" + script_text(meta_);
    for (const std::string& each : answers_) json += "," + each;
    json += "},\"operations\":[";
    for (const std::string& each : operations_) json += (json.back() == '[' ? "" : ",") + each;
    json += "],\"strips\":[";
    for (const std::string& each : strips_.batches) json += (json.back() == '[' ? "\"" : ",\"") + each + "\"";
    return {json + "]}", left_out_};
  }

  Opened& opened_;
  const std::size_t most_;
  std::size_t used_ = 0;
  Json meta_, report_;
  std::vector<std::uint32_t> lanes_, worst_ranks_;
  std::vector<OperationId> instances_;
  std::size_t firsts_ = 0;  // of the instances, the worst of a finding each
  std::vector<std::string> answers_, operations_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> listed_;
  InlinedStrips strips_;
  std::vector<std::string> left_out_;
};

}  // namespace

Inlined inlined_data(Opened& opened, std::size_t most_bytes) { return Inliner(opened, most_bytes).make(); }

}  // namespace plumbline::viewer
