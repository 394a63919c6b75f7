#include "bench/campaign/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "bench/campaign/measures.hpp"
#include "bench/campaign/section.hpp"
#include "bench/results/campaign.hpp"

namespace plumbline::bench {
namespace {

const std::vector<std::string> kMpis{"openmpi", "mpich"};
const std::vector<std::string> kLevels(std::begin(kThreadLevels), std::end(kThreadLevels));
const std::vector<std::string> kPlaceholders{"ranks", "nodes", "per_node", "hosts", "mpi", "program"};

// Tables [name] or [[name]]; anything else of that name is a fault.
std::vector<const toml::table*> tables_of(Section& root, const char* name, bool one) {
  const toml::node* node = root.take(name);
  std::vector<const toml::table*> result;
  if (node == nullptr) return result;
  if (const toml::table* table = node->as_table(); table != nullptr && one) {
    result.push_back(table);
  } else if (const toml::array* list = node->as_array(); list != nullptr && !one) {
    for (const toml::node& each : *list)
      if (const toml::table* of_list = each.as_table()) result.push_back(of_list);
    if (result.size() != list->size()) result.clear();
  }
  if (result.empty())
    root.fault(root.where(*node), fmt::format("'{}' is not a table", name),
               one ? fmt::format("write [{}]", name) : fmt::format("write [[{}]]", name));
  return result;
}

void check_mpis(Section& section, std::vector<std::string>& mpis) {
  std::vector<std::string> once;
  for (const std::string& mpi : mpis) {
    if (std::ranges::find(kMpis, mpi) == kMpis.end())
      section.fault(section.where("mpi"), fmt::format("there is no MPI '{}' here", mpi), "known: openmpi, mpich");
    else if (std::ranges::find(once, mpi) == once.end())
      once.push_back(mpi);
  }
  mpis = once;
}

// The budget of the campaign; 0: none.
double read_general(Section& section, Description& into) {
  constexpr std::int64_t kMostRuns = 10'000;
  double budget_s = 0;
  section.text("name", into.name);
  section.texts("mpi", into.mpis);
  check_mpis(section, into.mpis);
  section.whole("runs", 1, kMostRuns, into.runs);
  section.whole("seed", 0, std::numeric_limits<std::int64_t>::max(), into.seed);
  section.seconds("budget", budget_s);
  section.seconds("patience", into.patience_s);
  section.finish();
  return budget_s;
}

void read_launcher(Section& section, Layout& layout) {
  const toml::node* node = section.take("launcher");
  if (node == nullptr) return;
  if (node->is_array())
    section.texts("launcher", layout.launcher);
  else if (const auto line = node->value_exact<std::string>())
    layout.launcher = words_of(*line);
  if (layout.launcher.empty()) {
    section.fault(section.where(*node), "'launcher' is a command line", "\"srun -n {ranks} {program}\"");
    return;
  }
  for (const std::string& word : layout.launcher)
    for (std::size_t open = word.find('{'); open != std::string::npos; open = word.find('{', open + 1)) {
      const std::string name = word.substr(open + 1, word.find('}', open) - open - 1);
      if (std::ranges::find(kPlaceholders, name) == kPlaceholders.end())
        section.fault(section.where(*node), fmt::format("there is no placeholder '{{{}}}'", name),
                      "known: {ranks}, {nodes}, {per_node}, {hosts}, {mpi}, {program}");
    }
}

// Of several nodes the network is between them anyway.
void read_loopback(Section& section, Layout& layout) {
  section.flag("loopback", layout.loopback);
  if (layout.loopback && (layout.nodes > 1 || layout.per_node < 2))
    section.fault(section.where("loopback"),
                  fmt::format("ranks of one node are to talk without shared memory, and this layout has {} x {}",
                              layout.nodes, layout.per_node),
                  "nodes = 1 and per_node = 2");
}

bool is_variable(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 && text.find_first_of(" \t\n") > equals;
}

// Settings of its own, and a name that tells its cells from those of a layout without them.
void read_variant(Section& section, Layout& layout) {
  section.texts("environment", layout.environment);
  section.text("variant", layout.variant);
  for (const std::string& each : layout.environment)
    if (!is_variable(each))
      section.fault(section.where("environment"), fmt::format("'{}' sets no variable", each), "\"NAME=value\"");
  const bool named = layout.variant.find_first_of(" \t\n=") == std::string::npos;
  if (!named) section.fault(section.where("variant"), "a variant's name has no blanks and no '='");
  if (!layout.environment.empty() && layout.variant.empty())
    section.fault(section.where("environment"), "a layout with settings of its own has no name", "variant = \"tuned\"");
}

Layout read_layout(Section& section, const Surroundings& surroundings) {
  constexpr std::int64_t kMany = 1'000'000;
  Layout layout;
  layout.where = section.where();
  section.texts("hosts", layout.hosts);
  layout.nodes = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(layout.hosts.size()));
  section.whole("nodes", 1, kMany, layout.nodes);
  if (!layout.hosts.empty() && layout.nodes != layout.hosts.size())
    section.fault(section.where("nodes"), fmt::format("{} nodes and {} hosts", layout.nodes, layout.hosts.size()),
                  "name each node once");
  layout.per_node = layout.nodes > 1 ? 1 : std::max(2U, surroundings.cores);
  section.whole("per_node", 1, kMany, layout.per_node);
  section.flag("bind", layout.bind);
  section.texts("only", layout.only);
  if (section.take("threads") != nullptr) section.one_of("threads", kLevels, layout.threads);
  read_loopback(section, layout);
  read_variant(section, layout);
  read_launcher(section, layout);
  section.finish();
  return layout;
}

bool leaves_out(const Layout& layout, const Request& request) {
  return !layout.only.empty() && std::ranges::find(layout.only, request.operation) == layout.only.end();
}

// What a layout is to measure alone is measured at all, and what is measured has a layout.
void check_only(Section& root, const Description& description) {
  for (const Layout& layout : description.layouts)
    for (const std::string& operation : layout.only)
      if (std::ranges::find(description.requests, operation, &Request::operation) == description.requests.end())
        root.fault(layout.where, fmt::format("'only' has '{}', which is not measured", operation),
                   fmt::format("add [[measure]] with operation = \"{}\"", operation));
  std::set<std::string> told;
  for (const Request& request : description.requests)
    if (std::ranges::all_of(description.layouts, [&](const Layout& layout) { return leaves_out(layout, request); }) &&
        told.insert(request.operation).second)
      root.fault(description.layouts[0].where, fmt::format("'{}' is left out of every layout", request.operation),
                 "name it in 'only' of one of them");
}

void check_fit(Section& root, const Description& description) {
  std::map<std::string, std::uint32_t> told;
  for (std::size_t i = 0; i < description.requests.size(); ++i) {
    const Request& request = description.requests[i];
    std::uint32_t most = 0;
    for (const Layout& layout : description.layouts)
      if (!leaves_out(layout, request)) most = std::max(most, layout.ranks());
    if (most == 0) continue;  // check_only() has said it
    if (description.least_ranks[i] > most && !told.contains(request.operation)) {
      root.fault(description.layouts[0].where,
                 fmt::format("'{}' needs {} ranks, and no layout has more than {}", request.operation,
                             description.least_ranks[i], most),
                 fmt::format("[[layout]] per_node = {}", description.least_ranks[i]));
      told[request.operation] = most;
    }
    for (const Layout& layout : description.layouts)
      if (request.effort.root >= layout.ranks() && is_measured_in(layout, description, i) &&
          told.try_emplace("root", 0).second)
        root.fault(layout.where, fmt::format("root {} is none of its {} ranks", request.effort.root, layout.ranks()),
                   "take another 'root' or more ranks");
  }
}

// So that all requests of all runs together stay within the budget of the campaign.
void share_budget(double budget_s, const std::vector<bool>& own_budget, Description& description) {
  if (budget_s == 0 || description.requests.empty()) return;
  std::size_t asked = 0;  // by one run of all layouts
  for (const Layout& layout : description.layouts)
    asked += static_cast<std::size_t>(std::ranges::count_if(
        description.requests, [&](const Request& request) { return !leaves_out(layout, request); }));
  const double starts = static_cast<double>(description.runs) * static_cast<double>(description.mpis.size());
  const double share = budget_s / (starts * static_cast<double>(std::max<std::size_t>(asked, 1)));
  for (std::size_t i = 0; i < description.requests.size(); ++i) {
    double& own = description.requests[i].effort.budget_s;
    if (!own_budget[i]) own = std::min(own, share);
  }
}

void read_measures(Section& root, const Catalogue& catalogue, const Settings& settings, const std::string& file,
                   Diagnostics& faults, std::vector<bool>& own_budget, Description& into) {
  for (const toml::table* table : tables_of(root, "measure", false)) {
    Section section(*table, file, faults);
    for (Asked& asked : read_measure(section, catalogue, settings)) {
      if (std::ranges::find(into.requests, asked.request) != into.requests.end()) continue;
      into.requests.push_back(std::move(asked.request));
      into.least_ranks.push_back(asked.least_ranks);
      own_budget.push_back(asked.own_budget);
    }
  }
  if (!root.has("measure"))
    root.fault(file, "nothing is to be measured", "add [[measure]] with operation = \"bcast\"; plumbline bench --list");
}

toml::table parse_toml(const std::string& text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}:{}", file, error.source().begin.line, error.source().begin.column),
                std::string(error.description()), "docs/reference/campaign.md has the form");
  }
}

}  // namespace

bool is_measured_in(const Layout& layout, const Description& description, std::size_t request) {
  return description.least_ranks[request] <= layout.ranks() && !leaves_out(layout, description.requests[request]);
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool begun = false;
  for (const char c : line) {
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      begun = true;
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (begun) words.push_back(word);
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (begun) words.push_back(word);
  return words;
}

Description parse_description(const std::string& text, const std::string& file, const Catalogue& catalogue,
                              const Surroundings& surroundings) {
  const toml::table table = parse_toml(text, file);
  Diagnostics faults;
  Section root(table, file, faults);
  Description result;
  result.text = text;
  result.mpis = surroundings.mpis;
  double budget_s = 0;
  for (const toml::table* campaign : tables_of(root, "campaign", true)) {
    Section section(*campaign, file, faults);
    budget_s = read_general(section, result);
  }
  for (const toml::table* layout : tables_of(root, "layout", false)) {
    Section section(*layout, file, faults);
    result.layouts.push_back(read_layout(section, surroundings));
  }
  if (!root.has("layout")) result.layouts.push_back({.per_node = std::max(2U, surroundings.cores), .where = file});
  Settings settings;
  for (const toml::table* all : tables_of(root, "settings", true)) {
    Section section(*all, file, faults);
    read_settings(section, settings);
    section.finish();
  }
  std::vector<bool> own_budget;
  read_measures(root, catalogue, settings, file, faults, own_budget, result);
  root.finish();
  if (faults.empty()) {
    check_only(root, result);
    check_fit(root, result);
  }
  faults.throw_if_any();
  share_budget(budget_s, own_budget, result);
  return result;
}

}  // namespace plumbline::bench
