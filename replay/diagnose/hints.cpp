#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "replay/diagnose/kinds.hpp"

namespace plumbline::replay {
namespace {

using Hints = std::map<std::string, std::string>;

// "key=value" in any of the usual separations.
void parse(std::string_view text, Hints& hints) {
  constexpr std::string_view kSeparators = " ,;\n\t";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kSeparators), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) hints[std::string(word.substr(0, equals))] = word.substr(equals + 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Files that a call at a place in the program touched; at any place when `site` is empty.
std::set<std::uint32_t> files_of(const Program& program, std::string_view call, std::string_view site) {
  std::set<std::uint32_t> files;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (const Operation& operation : program.rank(rank).operations) {
      if (operation.kind != OpKind::kIoRead && operation.kind != OpKind::kIoWrite) continue;
      if (program.call(operation.call) == call && (site.empty() || program.site(operation.site) == site))
        files.insert(operation.comm);
    }
  return files;
}

// Program-wide first, then those of the files.
Hints hints_in_force(const Program& program, const Row& row) {
  Hints hints;
  parse(program.property("hints"), hints);
  std::set<std::uint32_t> files = files_of(program, row.call, row.site);
  if (files.empty()) files = files_of(program, row.call, {});  // the source changed between the runs
  for (const std::uint32_t file : files)
    if (file < program.files()) parse(program.property(fmt::format("hints:{}", program.file(file))), hints);
  return hints;
}

// Program-wide first, then those of the row's files.
Hints hints_of(const Program& observed, const Comparison& comparison, const Row& row) {
  Hints hints;
  parse(observed.property("hints"), hints);
  for (std::uint32_t file = 0; file < observed.files(); ++file)
    if (comparison.file_group[file] == row.key.file)
      parse(observed.property(fmt::format("hints:{}", observed.file(file))), hints);
  return hints;
}

bool is(const Hints& hints, const std::string& key, std::string_view value) {
  const auto hint = hints.find(key);
  return hint != hints.end() && hint->second == value;
}

// What is no more than a guess is to be tried in the model first: it may not pay on this machine.
std::string try_first(const Comparison& comparison, const std::string& hint) {
  return fmt::format(
      "before you do, ask the model whether that pays here: plumbline replay {} -p PLATFORM --set hint.{}",
      comparison.options.observed_name, hint);
}

}  // namespace

std::string hints_that_differ(const Program& observed, const Program& reference, const Row& row) {
  const Hints here = hints_in_force(observed, row), there = hints_in_force(reference, row);
  if (here.empty() || there.empty()) return {};  // one of the recordings does not tell
  std::string text;
  const auto add = [&](const std::string& key, const std::string& mine, const std::string& other) {
    text += fmt::format("{}hint {}={} here, {} there", text.empty() ? "" : "; ", key, mine, other);
  };
  for (const auto& [key, value] : here) {
    const auto other = there.find(key);
    if (other == there.end() || other->second != value) add(key, value, other == there.end() ? "none" : other->second);
  }
  for (const auto& [key, value] : there)
    if (!here.contains(key)) add(key, "(none)", value);
  return text;
}

std::vector<std::string> advice_on_hints(const Program& observed, const Comparison& comparison, const Row& row,
                                         bool read_before_write) {
  const Hints hints = hints_of(observed, comparison, row);
  const std::string verb = row.key.kind == OpKind::kIoWrite ? "write" : "read";
  const std::string buffering = "romio_cb_" + verb, sieving = "romio_ds_" + verb;
  std::vector<std::string> advice;
  const bool buffers_off = is(hints, buffering, "disable");
  if (buffers_off && row.collective)
    advice.push_back(fmt::format("the hint {}=disable switches collective buffering off: set {}=enable, or remove it",
                                 buffering, buffering));
  if (is(hints, sieving, "disable") && (buffers_off || !row.collective))
    advice.push_back(
        fmt::format("the hint {}=disable sends every piece by itself: set {}=enable, or remove it", sieving, sieving));
  if (!advice.empty()) return advice;
  if (read_before_write) {
    advice.push_back(
        fmt::format("data sieving reads before it writes: {}, or romio_ds_write=disable where pieces are large",
                    row.collective ? "set romio_cb_write=enable" : "use a collective call with romio_cb_write=enable"));
    advice.push_back(try_first(comparison, row.collective ? "romio_cb_write=enable" : "romio_ds_write=disable"));
  } else if (!row.collective) {
    advice.push_back(
        fmt::format("use the collective form, {}_all, so that pieces of several ranks are joined", row.call));
  } else if (observed.property("library").find("Open MPI") != std::string_view::npos) {
    advice.push_back(
        "no hint explains it: try another collective component, --mca fcoll two_phase or --mca fcoll "
        "vulcan, or ROMIO with --mca io romio321");
  } else {
    advice.push_back(fmt::format("no hint that was recorded explains it: set {}=enable", buffering));
    advice.push_back(try_first(comparison, buffering + "=enable"));
  }
  return advice;
}

std::vector<std::string> advice_on_aggregators(const Program& observed, const Comparison& comparison, const Row& row,
                                               std::uint64_t aggregators) {
  const std::string hint = fmt::format("cb_nodes={}", aggregators);
  const Hints hints = hints_of(observed, comparison, row);
  std::string advice = "set the hint " + hint;
  if (const auto in_force = hints.find("cb_nodes"); in_force != hints.end()) {
    if (std::strtoull(in_force->second.c_str(), nullptr, 10) >= aggregators) return {};
    advice += fmt::format(" in place of cb_nodes={}", in_force->second);
  } else if (observed.property("library").find("Open MPI") != std::string_view::npos) {
    advice += fmt::format(", or for all programs with OMPIO --mca io_ompio_num_aggregators {}", aggregators);
  }
  if (const auto list = hints.find("cb_config_list"); list != hints.end() && list->second != "*:1")
    advice += fmt::format(", and let cb_config_list={} allow as many", list->second);
  return {advice, try_first(comparison, hint)};
}

}  // namespace plumbline::replay
