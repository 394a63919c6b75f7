#include "base/node/copy.hpp"

#include <set>

namespace plumbline::node {
namespace {

// Visits the paths of `entries` below a directory, by what stands behind it; until `visit` says false.
template <class Entries, class Visit>
void for_each_below(const Entries& entries, const std::string& directory, Visit visit) {
  for (auto entry = entries.lower_bound(directory); entry != entries.end() && entry->first.starts_with(directory);
       ++entry)
    if (!visit(std::string_view(entry->first).substr(directory.size()))) return;
}

}  // namespace

std::vector<std::string> names_in(const Copy& copy, std::string_view directory) {
  std::set<std::string, std::less<>> names;
  const auto add = [&](std::string_view rest) {
    const std::string_view name = rest.substr(0, rest.find('/'));
    if (!name.empty() && !names.contains(name)) names.emplace(name);
    return true;
  };
  const std::string below = std::string(directory) + "/";
  for_each_below(copy.files, below, add);
  for_each_below(copy.links, below, add);
  for_each_below(copy.lists, below, add);
  if (const auto list = copy.lists.find(directory); list != copy.lists.end())
    names.insert(list->second.begin(), list->second.end());
  return {names.begin(), names.end()};
}

bool holds(const Copy& copy, std::string_view path) {
  bool found = copy.files.contains(path) || copy.links.contains(path) || copy.lists.contains(path);
  const auto find = [&](std::string_view) { return !(found = true); };
  const std::string below = std::string(path) + "/";
  for_each_below(copy.files, below, find);
  for_each_below(copy.links, below, find);
  return found;
}

}  // namespace plumbline::node
