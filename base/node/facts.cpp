#include "base/node/facts.hpp"

#include "base/node/text.hpp"

namespace plumbline::node {

std::string_view Facts::value(std::string_view name) const {
  const auto found = facts.find(name);
  return found == facts.end() ? std::string_view() : found->second.value;
}

std::map<std::string, double> growth(const Facts& before, const Facts& after) {
  std::map<std::string, double> grown;
  for (const auto& [name, fact] : after.facts) {
    const auto now = number_of(fact.value), then = number_of(before.value(name));
    if (now && then && *now >= *then) grown.emplace(name, static_cast<double>(*now - *then));
  }
  return grown;
}

}  // namespace plumbline::node
