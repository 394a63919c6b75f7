#include "replay/compare/result/component.hpp"

#include <algorithm>

namespace plumbline::replay {
namespace {

// Part of a row's excess that must lie on one side before the component is named more closely than "transport".
constexpr double kOneSided = 0.8;

std::string transport_of(const Locality& locality) {
  const double inside = std::max(locality.own_inside, TimeSum{}).seconds();
  const double between = std::max(locality.own_between, TimeSum{}).seconds();
  const double sum = inside + between;
  if (sum > 0 && between >= kOneSided * sum) return "transport between nodes";
  if (sum > 0 && inside >= kOneSided * sum) return "transport inside a node";
  return "transport";
}

}  // namespace

std::string directory_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string::npos) return file.empty() ? "of unnamed files" : ".";
  return slash == 0 ? "/" : file.substr(0, slash);
}

std::string component_of(const Row& row) {
  if (is_io(row.key.kind)) return "storage " + directory_of(row.file);
  return row.key.kind == OpKind::kLocal ? "the library's local calls" : transport_of(row.locality);
}

}  // namespace plumbline::replay
