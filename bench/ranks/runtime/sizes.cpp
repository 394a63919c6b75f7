#include "bench/ranks/runtime/sizes.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/statistics/order.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {

AdaptiveRule adaptive_rule(const Request& request) {
  AdaptiveRule rule;
  const auto given = [&](std::string_view name) { return request.numbers.contains(std::string(name)); };
  if (given("stride")) rule.stride = count(request, "stride", 1);
  if (given("min_stride")) rule.min_stride = count(request, "min_stride", 1);
  if (given("max_diff")) rule.max_diff = number(request, "max_diff");
  if (given("max_num"))
    rule.max_num = static_cast<std::uint32_t>(std::min<std::uint64_t>(count(request, "max_num", 2), 1'000'000));
  if (!(rule.max_diff > 0)) throw Error(request.operation, "'max_diff' is not above 0", "0.1 is usual");
  return rule;
}

void for_each_size(const Context& context, const Request& request,
                   const std::function<double(std::uint64_t)>& measure) {
  if (!request.adaptive) {
    for (const std::uint64_t size : request.sizes) measure(size);
    return;
  }
  AdaptiveSizes sizes(request.sizes.front(), request.sizes.back(), adaptive_rule(request));
  while (sizes.next()) {
    double seconds = measure(*sizes.next());
    must(MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, context.world));
    sizes.add(seconds);
  }
}

double median_time(const Cell& cell) {
  std::vector<double> valid;
  for (std::size_t i = 0; i < cell.seconds.size(); ++i)
    if (i >= cell.flags.size() || cell.flags[i] == 0) valid.push_back(cell.seconds[i]);
  return valid.empty() ? 0 : statistics::median(valid);
}

}  // namespace plumbline::bench
