// What the numbers of a .prv file mean, and the names of its rows.

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viewer/export/output.hpp"
#include "viewer/export/paraver.hpp"
#include "viewer/export/paraver_calls.hpp"
#include "viewer/export/paraver_machine.hpp"
#include "viewer/export/timeline.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::string_view kOptions =
    "DEFAULT_OPTIONS\n\n"
    "LEVEL               THREAD\n"
    "UNITS               NANOSEC\n"
    "LOOK_BACK           100\n"
    "SPEED               1\n"
    "FLAG_ICONS          ENABLED\n"
    "NUM_OF_STATE_COLORS 1000\n"
    "YMAX_SCALE          37\n\n\n"
    "DEFAULT_SEMANTIC\n\n"
    "THREAD_FUNC          State As Is\n\n\n";

// Both files are read by the line.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  for (char& character : line)
    if (static_cast<unsigned char>(character) < ' ') character = ' ';
  return line;
}

void write_states(Output& out) {
  out.add("STATES\n");
  for (const paraver::State& state : paraver::kStates) out.add(fmt::format("{}    {}\n", state.number, state.label));
  out.add("\n\nSTATES_COLOR\n");
  for (const paraver::State& state : paraver::kStates)
    out.add(fmt::format("{}    {{{},{},{}}}\n", state.number, state.colour[0], state.colour[1], state.colour[2]));
  out.add("\n\n");
}

// 9 and 0: numbers of gradients of colours, as Extrae gives them.
void write_calls(Output& out, const Runs& runs) {
  const std::vector<paraver::CallEvent> events = paraver::events_of_calls(runs.observed);
  for (const paraver::EventType& type : paraver::kCallTypes) {
    std::set<std::pair<std::uint32_t, std::string>> values;
    for (std::uint32_t i = 0; i < events.size(); ++i)
      if (events[i].type == type.type)
        values.emplace(events[i].value, on_one_line(runs.observed.call(static_cast<std::uint16_t>(i))));
    if (values.empty()) continue;
    out.add(fmt::format("EVENT_TYPE\n9    {}    {}\nVALUES\n0      End\n", type.type, type.label));
    for (const auto& [value, call] : values) out.add(fmt::format("{}      {}\n", value, call));
    out.add("\n\n");
  }
}

void write_names(Output& out, std::string_view level, const std::vector<std::string>& names) {
  out.add(fmt::format("LEVEL {} SIZE {}\n", level, names.size()));
  for (const std::string& name : names) out.add(on_one_line(name) + "\n");
  out.add("\n");
}

std::vector<std::string> names_of_processors(const Runs& runs, const paraver::Machine& machine) {
  std::vector<std::string> names;
  for (const paraver::Machine::Node& node : machine.nodes)
    for (std::uint32_t i = 1; i <= node.processors; ++i)
      names.push_back(fmt::format("{}.{}", i, runs.observed.node(node.name)));
  return names;
}

}  // namespace

void write_pcf(const Runs& runs, std::ostream& to) {
  Output out(to, "the labels of the trace");
  out.add(kOptions);
  write_states(out);
  write_calls(out, runs);
  out.add("EVENT_TYPE\n");
  for (const paraver::EventType& type : paraver::kOwnTypes)
    out.add(fmt::format("0    {}    {}\n", type.type, type.label));
  out.flush();
}

void write_row(const Runs& runs, std::ostream& to) {
  const paraver::Machine machine = paraver::machine_of(runs);
  std::vector<std::string> nodes, runs_shown, ranks;
  for (const paraver::Machine::Node& node : machine.nodes) nodes.emplace_back(runs.observed.node(node.name));
  for (const Side side_shown : sides_of(runs)) {
    runs_shown.push_back(title_of(runs, side_shown));
    const std::string side = runs_shown.back().substr(0, runs_shown.back().find(':'));
    for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
      ranks.push_back(fmt::format("{} {}", side, rank_title(runs, rank)));
  }
  Output out(to, "the names of the rows");
  write_names(out, "CPU", names_of_processors(runs, machine));
  write_names(out, "NODE", nodes);
  write_names(out, "APPL", runs_shown);
  write_names(out, "TASK", ranks);
  write_names(out, "THREAD", ranks);
  out.flush();
}

}  // namespace plumbline::viewer
