#include "replay/diagnose/roles.hpp"

#include <algorithm>

namespace plumbline::replay {
namespace {

double mean_expected(const RankPart& part) {
  return static_cast<double>(part.upper.ps) / static_cast<double>(part.operations);
}

}  // namespace

double mean_excess(const RankPart& part) {
  return static_cast<double>(part.stack.ps) / static_cast<double>(part.operations);
}

std::vector<Role> roles_in(const Row& row) {
  std::vector<double> expected;
  for (const RankPart& part : row.parts) expected.push_back(mean_expected(part));
  std::vector<double> sorted = expected;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  if (middle != sorted.end()) std::ranges::nth_element(sorted, middle);
  std::vector<Role> roles;
  for (const double each : expected)
    roles.push_back(each > 2 * *middle ? Role::kMore : 2 * each < *middle ? Role::kLess : Role::kUsual);
  return roles;
}

std::array<std::vector<double>, kRoles> mean_excesses(const Row& row, const std::vector<Role>& roles) {
  std::array<std::vector<double>, kRoles> means;
  for (std::size_t i = 0; i < roles.size(); ++i)
    means[static_cast<std::size_t>(roles[i])].push_back(mean_excess(row.parts[i]));
  for (std::vector<double>& each : means) std::ranges::sort(each);
  return means;
}

}  // namespace plumbline::replay
