#include "viewer/server/strips/request.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "viewer/index/lanes/lanes.hpp"
#include "viewer/index/pyramid/ranges.hpp"

namespace plumbline::viewer {
namespace {

// A number that the text begins with; the text is shortened by it.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

struct Interval {
  std::uint32_t first = 0, last = 0;
};

// "3", or "3-5" where `between` is "-".
std::optional<Interval> take_interval(std::string_view& text, std::string_view between) {
  const std::optional<std::uint32_t> first = take_number(text);
  if (!first) return std::nullopt;
  if (!take(text, between)) return Interval{*first, *first};
  const std::optional<std::uint32_t> last = take_number(text);
  if (!last || *last < *first) return std::nullopt;
  return Interval{*first, *last};
}

Interval strips_of_level(std::string_view text, unsigned level) {
  const std::optional<Interval> x = take_interval(text, "..");
  if (!x || !text.empty() || x->last >> level != 0)
    throw BadRequest{400, fmt::format("'x' is no range of strips of level {}: write FIRST..LAST, up to {}", level,
                                      (std::uint64_t{1} << level) - 1)};
  return *x;
}

void require_key(const Opened& opened, const Query& query) {
  const std::string_view key = query.text("k");
  if (key.empty()) throw BadRequest{400, "'k' is missing: the key that meta tells"};
  if (key != opened.key) throw BadRequest{409, "other archives are shown than when the page was loaded: reload it"};
}

}  // namespace

const PyramidSource& source_of(const Opened& opened, std::string_view name) {
  std::optional<std::uint32_t> number;
  std::string_view rest = name;
  if (name == "obs") number = 0;
  if (name == "free") number = 1;
  if (take(rest, "whatif-")) {
    number = take_number(rest);
    if (!number || !rest.empty() || *number == 0 || *number > 254) number.reset();
    if (number) ++*number;
  }
  if (!number) throw BadRequest{400, fmt::format("no source is called '{}': obs, free or whatif-1, -2, ..", name)};
  const PyramidSource* const source = find_source(opened.pyramid, *number);
  if (source == nullptr) throw BadRequest{404, fmt::format("there is no '{}' here", name)};
  return *source;
}

std::vector<std::uint32_t> number_list(std::string_view text, std::size_t most) {
  std::vector<std::uint32_t> numbers;
  do {
    const std::optional<Interval> interval = take_interval(text, "-");
    if (!interval) throw BadRequest{400, "a list of numbers looks like 0,2-5,1073741824"};
    if (interval->last - interval->first >= most - numbers.size())
      throw BadRequest{413, fmt::format("more than {} numbers in a list", most)};
    for (std::uint32_t number = interval->first; numbers.push_back(number), number != interval->last;) ++number;
  } while (take(text, ","));
  if (!text.empty()) throw BadRequest{400, "a list of numbers looks like 0,2-5,1073741824"};
  return numbers;
}

std::vector<std::uint32_t> ranks_of_lane(const Opened& opened, std::uint32_t lane) {
  if (component_of_lane(opened, lane) != nullptr) return {};
  if (lane < opened.runs.observed.ranks()) return {lane};
  const bool is_fold = lane >= kFirstFoldLane && lane - kFirstFoldLane < opened.folds.folds.size();
  if (!is_fold) throw BadRequest{404, fmt::format("there is no lane {}", lane)};
  return opened.folds.folds[lane - kFirstFoldLane].ranks;
}

const ComponentHistory* component_of_lane(const Opened& opened, std::uint32_t lane) {
  const bool is_component = lane >= kFirstComponentLane && lane - kFirstComponentLane < opened.runs.components.size();
  return is_component ? &opened.runs.components[lane - kFirstComponentLane] : nullptr;
}

StripsRequest strips_request(const Opened& opened, const Query& query) {
  require_key(opened, query);
  StripsRequest request;
  request.source = &source_of(opened, query.text("s", "obs"));
  request.level = static_cast<unsigned>(query.number("l", 0, opened.pyramid.most_level));
  const Interval x = strips_of_level(query.text("x"), request.level);
  request.first = x.first;
  request.last = x.last;
  const std::uint64_t each = std::uint64_t{x.last} - x.first + 1;
  if (each > kMostStrips) throw BadRequest{413, fmt::format("more than {} strips", kMostStrips)};
  request.lanes = number_list(query.text("r"), kMostStrips / each);
  for (const std::uint32_t lane : request.lanes) ranks_of_lane(opened, lane);
  return request;
}

}  // namespace plumbline::viewer
