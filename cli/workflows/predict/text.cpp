#include "cli/workflows/predict/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/quantity.hpp"
#include "cli/workflows/predict/figures.hpp"
#include "replay/compare/result/wording.hpp"

namespace plumbline::cli::predict {
namespace {

std::string time_of(double seconds) { return format(duration_from_seconds(seconds)); }

std::string share(double part, double whole) { return format_percent(whole > 0 ? part / whole : 0); }

// Of the runs that were looked at, so that the shares of what a process does add up.
double length_of(const Figures& f) { return f.computing + f.transfer + f.waiting + f.idle; }

// "1.234 s ± 2 ms with 95 %, median 1.233 s (1.23 s to 1.24 s), 30 runs of seeds 1 to 30"
std::string length_text(const Figures& f, std::uint64_t seed) {
  if (f.runs == 1) return time_of(f.mean);
  if (!f.has_intervals())
    return fmt::format("{}, mean of {} runs: {} to {}", time_of(f.mean), f.runs, time_of(f.least), time_of(f.greatest));
  return fmt::format("{} ± {} with 95 %, median {} ({} to {}), {} runs of seeds {} to {}", time_of(f.mean),
                     time_of(f.mean_interval.high - f.mean), time_of(f.median), time_of(f.median_interval.low),
                     time_of(f.median_interval.high), f.runs, seed, seed + f.runs - 1);
}

// "500", "437.5"
std::string count_text(double count) { return fmt::format("{:.{}f}", count, count == std::floor(count) ? 0 : 1); }

std::string lines_text(const Prediction& prediction, const Lines& lines, bool details) {
  constexpr std::size_t kMost = 5;
  std::vector<std::pair<replay::model::Place, LineTimes>> rows(lines.by_place.begin(), lines.by_place.end());
  const auto all = [](const auto& row) { return row.second.computing + row.second.transfer + row.second.waiting; };
  std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) { return all(a) > all(b); });
  std::string text = fmt::format("  {:<20} {:<18} {:>9} {:>10} {:>10} {:>10} {:>10}\n", "a process, on average", "",
                                 "times", "computing", "transfer", "waiting", "imbalance");
  const auto cell = [&](TimeSum sum) { return sum.ps == 0 ? std::string("-") : format(lines.mean(sum)); };
  for (std::size_t i = 0; i < rows.size() && (details || i < kMost); ++i) {
    const auto& [place, line] = rows[i];
    text += fmt::format("  {:<20}  {:<18} {:>9} {:>10} {:>10} {:>10} {:>10}\n",
                        fmt::format("{}:{}", prediction.preparation.model->source, place.line), line.call,
                        count_text(lines.mean_count(line)), cell(line.computing), cell(line.transfer),
                        cell(line.waiting), cell(line.imbalance));
  }
  if (!details && rows.size() > kMost) text += fmt::format("  and {} more lines: --details\n", rows.size() - kMost);
  return text;
}

std::string races_text(const Prediction& prediction, std::size_t point, bool details) {
  constexpr std::size_t kMost = 2;
  const std::vector<Race> races = prediction.outcomes[point].races.found(prediction.preparation.points[point].program);
  std::string text;
  for (std::size_t i = 0; i < races.size() && (details || i < kMost); ++i) {
    const Race& race = races[i];
    text += fmt::format(
        "race: {}, {} from any: {} took the message of another sender in another run; rank {} that of {}\n", race.site,
        race.call, replay::plural(race.receives, "receive"), race.rank, fmt::join(race.senders, " or "));
  }
  if (!details && races.size() > kMost) text += fmt::format("and {} more races: --details\n", races.size() - kMost);
  return text;
}

std::string averages_text(const Outcome& outcome, const Figures& f) {
  std::string text;
  for (std::size_t i = 0; i < f.by_averages.size(); ++i)
    text +=
        fmt::format("{}{} {} ({:+.1f} %)", i == 0 ? "by averages alone: " : ", ", name_of(outcome.by_data[i + 1].data),
                    time_of(f.by_averages[i]), f.mean > 0 ? 100 * (f.by_averages[i] - f.mean) / f.mean : 0);
  return text.empty() ? text : text + "\n";
}

std::string speed_text(const Prediction& prediction, std::size_t point, const Figures& f) {
  return fmt::format("speed-up {:.2f} of {} (efficiency {}), against {}\n", f.speed_up,
                     prediction.preparation.points[point].point.ranks, format_percent(f.efficiency),
                     is_by_one_process(prediction, point) ? "one process" : "the computation of all processes on one");
}

std::string beyond_text(const Outcome& outcome) {
  const std::uint64_t beyond = outcome.by_data.front().beyond_measured;
  if (beyond == 0) return "";
  return fmt::format("{} had more others under way than were measured, and took the time of the most that were\n",
                     replay::plural(beyond, "message"));
}

std::string settings_text(const Point& point) {
  std::string text;
  for (const replay::model::Setting& setting : point.settings)
    text += fmt::format("{}{}={}", text.empty() ? ", " : " ", setting.name, setting.value);
  return text;
}

std::string platform_name(const Prediction& prediction) {
  const std::string& name = prediction.preparation.platform.name;
  return name.empty() ? "the platform" : name;
}

std::string head_of(const Prediction& prediction, std::size_t index) {
  const Prepared& prepared = prediction.preparation.points[index];
  return fmt::format("{}: {} on {} of {}, {} on each{}\n", prediction.preparation.model->source,
                     replay::plural(prepared.point.ranks, "rank"), replay::plural(prepared.nodes, "node"),
                     platform_name(prediction), prepared.per_node, settings_text(prepared.point));
}

constexpr std::string_view kRow = " {:>10} {:>10} {:>10} {:>9} {:>10} {:>9} {:>9} {:>9}";

std::string table_head(const Prediction& prediction) {
  std::string text;
  for (const std::string& name : prediction.preparation.sweeps.swept) text += fmt::format(" {:>10}", name);
  text += fmt::format(" {:>8}", "ranks");
  text += fmt::format(fmt::runtime(kRow), "mean", "± 95 %", "median", "speed-up", "efficiency", "computing", "transfer",
                      "waiting");
  const std::vector<Evaluated>& by_data = prediction.outcomes.front().by_data;
  for (std::size_t i = 1; i < by_data.size(); ++i) text += fmt::format(" {:>15}", name_of(by_data[i].data));
  return text + "\n";
}

std::string table_row(const Prediction& prediction, std::size_t index) {
  const Point& point = prediction.preparation.points[index].point;
  const Figures f = figures_of(prediction, index);
  std::string text;
  for (const std::string& name : prediction.preparation.sweeps.swept)
    text += fmt::format(" {:>10}", std::ranges::find(point.settings, name, &replay::model::Setting::name)->value);
  text += fmt::format(" {:>8}", point.ranks);
  const double whole = length_of(f);
  text +=
      fmt::format(fmt::runtime(kRow), time_of(f.mean), f.has_intervals() ? time_of(f.mean_interval.high - f.mean) : "-",
                  time_of(f.median), fmt::format("{:.2f}", f.speed_up), format_percent(f.efficiency),
                  share(f.computing, whole), share(f.transfer, whole), share(f.waiting, whole));
  for (const double mean : f.by_averages) text += fmt::format(" {:>15}", time_of(mean));
  return text + "\n";
}

}  // namespace

std::string answer(const Prediction& prediction, bool details) {
  const Outcome& outcome = prediction.outcomes.front();
  const Figures f = figures_of(prediction, 0);
  const double whole = length_of(f);
  std::string text = head_of(prediction, 0);
  text += fmt::format("predicted {}\n", length_text(f, outcome.samples().seed));
  text +=
      fmt::format("  computing {}, transfer {}, waiting {}, over before the last one {}; computing is uneven by {}\n",
                  share(f.computing, whole), share(f.transfer, whole), share(f.waiting, whole), share(f.idle, whole),
                  share(f.imbalance, whole));
  text += speed_text(prediction, 0, f) + averages_text(outcome, f) + races_text(prediction, 0, details) +
          beyond_text(outcome);
  return text + lines_text(prediction, outcome.lines, details);
}

std::string table(const Prediction& prediction, bool details) {
  std::string text = fmt::format("{} on {}\n", prediction.preparation.model->source, platform_name(prediction));
  text += table_head(prediction);
  std::string races;
  for (std::size_t i = 0; i < prediction.outcomes.size(); ++i) {
    text += table_row(prediction, i);
    if (const std::string found = races_text(prediction, i, details); !found.empty())
      races += fmt::format("of {}, {}", replay::plural(prediction.preparation.points[i].point.ranks, "rank"), found);
  }
  return text + races;
}

}  // namespace plumbline::cli::predict
