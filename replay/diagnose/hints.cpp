#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

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
  if (read_before_write)
    advice.push_back(
        "data sieving reads before it writes: use a collective call with romio_cb_write=enable, or set "
        "romio_ds_write=disable where pieces are large");
  else if (!row.collective)
    advice.push_back(
        fmt::format("use the collective form, {}_all, so that pieces of several ranks are joined", row.call));
  else if (observed.property("library").find("Open MPI") != std::string_view::npos)
    advice.push_back(
        "no hint explains it: try another collective component, --mca fcoll two_phase or --mca fcoll "
        "vulcan, or ROMIO with --mca io romio321");
  else
    advice.push_back(fmt::format("no hint that was recorded explains it: set {}=enable", buffering));
  return advice;
}

}  // namespace plumbline::replay
