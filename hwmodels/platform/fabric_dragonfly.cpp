#include "hwmodels/platform/fabric_shape.hpp"

namespace plumbline::hw {
namespace {

class DragonflyShape final : public FabricShape {
 public:
  explicit DragonflyShape(const Dragonfly& numbers) : d_(numbers) {
    const std::uint64_t routers = limited_product(d_.groups, d_.routers);
    size_.switches = routers;
    size_.members = limited_product(routers, d_.nodes);
    first_local_ = size_.members;
    first_global_ = limited(first_local_ + limited_product(d_.groups, limited(pairs(d_.routers))));
    size_.edges = limited(first_global_ + limited_product(limited(pairs(d_.groups)), d_.global));
  }

  std::string switch_name(std::uint32_t number) const override {
    return "g" + std::to_string(number / d_.routers) + "r" + std::to_string(number % d_.routers);
  }

  std::vector<Wire> wires() const override {
    std::vector<Wire> wires;
    for (std::uint32_t member = 0; member < size_.members; ++member)
      wires.push_back({vertex(member / d_.nodes), member});
    for (std::uint32_t group = 0; group < d_.groups; ++group)
      for (std::uint32_t a = 0; a < d_.routers; ++a)
        for (std::uint32_t b = a + 1; b < d_.routers; ++b)
          wires.push_back({vertex(router(group, a)), vertex(router(group, b)), LinkClass::kSwitch});
    for (std::uint32_t a = 0; a < d_.groups; ++a)
      for (std::uint32_t b = a + 1; b < d_.groups; ++b)
        for (std::uint32_t q = 0; q < d_.global; ++q)
          wires.push_back({vertex(gateway(a, b, q)), vertex(gateway(b, a, q)), LinkClass::kGlobal,
                           d_.global > 1 ? static_cast<std::int32_t>(q) : -1});
    return wires;
  }

  void append_way(std::uint32_t from, std::uint32_t to, std::vector<Step>& way) const override {
    const std::uint32_t source = from / d_.nodes, target = to / d_.nodes;
    const std::uint32_t group = source / d_.routers, other = target / d_.routers;
    way.push_back({from, vertex(source)});
    if (group == other) {
      append_local(source, target, way);
    } else {
      const std::uint32_t q = to % d_.global;
      const std::uint32_t out = gateway(group, other, q), in = gateway(other, group, q);
      append_local(source, out, way);
      way.push_back({global_cable(group, other, q), vertex(in)});
      append_local(in, target, way);
    }
    way.push_back({to, to});
  }

 private:
  static std::uint64_t pairs(std::uint64_t n) { return n * (n - 1) / 2; }

  // The number of {a, b} among the pairs of n things in order.
  static std::uint64_t pair_number(std::uint64_t n, std::uint64_t a, std::uint64_t b) {
    if (a > b) return pair_number(n, b, a);
    return a * (2 * n - a - 1) / 2 + (b - a - 1);
  }

  std::uint32_t router(std::uint32_t group, std::uint32_t number) const { return group * d_.routers + number; }
  std::uint32_t vertex(std::uint32_t router) const { return static_cast<std::uint32_t>(size_.members + router); }

  // The router at which cable q from `group` to `other` begins.
  std::uint32_t gateway(std::uint32_t group, std::uint32_t other, std::uint32_t q) const {
    const std::uint64_t port = std::uint64_t{q} * (d_.groups - 1) + (other < group ? other : other - 1);
    return router(group, static_cast<std::uint32_t>(port % d_.routers));
  }

  // Nothing when both are the same router.
  void append_local(std::uint32_t from, std::uint32_t to, std::vector<Step>& way) const {
    if (from == to) return;
    const std::uint64_t group = from / d_.routers;
    const std::uint64_t number =
        group * pairs(d_.routers) + pair_number(d_.routers, from % d_.routers, to % d_.routers);
    way.push_back({static_cast<std::uint32_t>(first_local_ + number), vertex(to)});
  }

  std::uint32_t global_cable(std::uint32_t a, std::uint32_t b, std::uint32_t q) const {
    return static_cast<std::uint32_t>(first_global_ + pair_number(d_.groups, a, b) * d_.global + q);
  }

  Dragonfly d_;
  std::uint64_t first_local_ = 0, first_global_ = 0;
};

}  // namespace

std::shared_ptr<const FabricShape> make_shape(const Dragonfly& dragonfly) {
  return std::make_shared<DragonflyShape>(dragonfly);
}

}  // namespace plumbline::hw
