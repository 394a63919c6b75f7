#include "bench/report/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace plumbline::bench {
namespace {

template <class T>
bool is_in(const std::vector<T>& chosen, const T& value) {
  return chosen.empty() || std::ranges::find(chosen, value) != chosen.end();
}

std::string layout_of(const Subject& subject) { return fmt::format("{} x {}", subject.nodes, subject.per_node); }

std::string ranks_of(const Subject& subject) {
  return subject.ranks.empty() ? "" : fmt::format("ranks {}", fmt::join(subject.ranks, ","));
}

std::string in_flight_of(const Subject& subject) {
  return subject.in_flight == 1 ? "" : fmt::format("{} in flight", subject.in_flight);
}

// "messages 4", "send Ssend"; empty where there is none of this name.
std::string parameter_of(const Subject& subject, const std::string& name) {
  if (const auto number = subject.numbers.find(name); number != subject.numbers.end())
    return fmt::format("{} {}", name, number->second);
  if (const auto word = subject.words.find(name); word != subject.words.end())
    return fmt::format("{} {}", name, word->second);
  return "";
}

std::set<std::string> parameters_of(const Subject& subject) {
  std::set<std::string> names;
  for (const auto& [name, value] : subject.numbers) names.insert(name);
  for (const auto& [name, value] : subject.words) names.insert(name);
  return names;
}

// Adds the aspect to the name of each subject that has a peer with another.
template <class Aspect, class IsPeer>
void add_where_it_differs(const std::vector<Subject>& subjects, Aspect aspect, IsPeer is_peer,
                          std::vector<std::string>& names) {
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const std::string own = aspect(subjects[i]);
    const bool differs = std::ranges::any_of(
        subjects, [&](const Subject& other) { return is_peer(subjects[i], other) && aspect(other) != own; });
    if (differs && !own.empty()) names[i] += ", " + own;
  }
}

}  // namespace

bool Selection::takes(const Campaign& campaign, const Cell& cell) const {
  return is_in(operations, cell.operation) && is_in(implementations, cell.implementation) &&
         is_in(mpis, campaign.runs[cell.run].mpi) && is_in(sizes, cell.bytes);
}

Subject subject_of(const Campaign& campaign, const Cell& cell) {
  const Run& run = campaign.runs[cell.run];
  return {cell.operation, cell.implementation, run.mpi,    run.nodes,   run.per_node,  cell.ranks,
          cell.in_flight, cell.numbers,        cell.words, cell.timing, cell.isolation};
}

std::string full_name(const Subject& subject) {
  std::string text =
      fmt::format("{}, {}; {}, {}", subject.operation, subject.implementation, subject.mpi, layout_of(subject));
  for (const std::string& part : {ranks_of(subject), in_flight_of(subject)})
    if (!part.empty()) text += "; " + part;
  for (const std::string& name : parameters_of(subject)) text += "; " + parameter_of(subject, name);
  if (!subject.timing.empty()) text += fmt::format("; {} behind {}", subject.timing, subject.isolation);
  return text;
}

std::vector<std::string> short_names(const std::vector<Subject>& subjects) {
  std::vector<std::string> names;
  for (const Subject& subject : subjects) names.push_back(subject.operation);
  const auto all = [](const Subject&, const Subject&) { return true; };
  const auto same_operation = [](const Subject& a, const Subject& b) { return a.operation == b.operation; };
  add_where_it_differs(
      subjects, [](const Subject& s) { return s.implementation; }, same_operation, names);
  add_where_it_differs(
      subjects, [](const Subject& s) { return s.mpi; }, all, names);
  add_where_it_differs(subjects, layout_of, all, names);
  add_where_it_differs(subjects, ranks_of, same_operation, names);
  add_where_it_differs(subjects, in_flight_of, same_operation, names);
  std::set<std::string> parameters;
  for (const Subject& subject : subjects) parameters.merge(parameters_of(subject));
  for (const std::string& name : parameters)
    add_where_it_differs(
        subjects, [&](const Subject& s) { return parameter_of(s, name); }, same_operation, names);
  add_where_it_differs(
      subjects, [](const Subject& s) { return s.timing; }, same_operation, names);
  add_where_it_differs(
      subjects, [](const Subject& s) { return s.isolation; }, same_operation, names);
  return names;
}

}  // namespace plumbline::bench
