#include "tracer/record/assemble/summary.hpp"

#include <cstddef>
#include <utility>

namespace plumbline::record {

void AssembleSummary::remark(std::string text) {
  constexpr std::size_t kShown = 50;
  if (remarks.size() < kShown) remarks.push_back(std::move(text));
}

}  // namespace plumbline::record
