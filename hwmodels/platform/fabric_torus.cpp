#include <cstddef>

#include "hwmodels/platform/fabric_shape.hpp"

namespace plumbline::hw {
namespace {

class TorusShape final : public FabricShape {
 public:
  explicit TorusShape(const Torus& torus) : nodes_(torus.nodes) {
    std::uint64_t routers = 1;
    for (const std::uint32_t size : torus.dimensions) routers = limited_product(routers, size);
    size_ = {limited_product(routers, nodes_), routers, limited_product(routers, nodes_)};
    std::uint64_t stride = 1;
    for (const std::uint32_t size : torus.dimensions) {
      dimensions_.push_back({size, stride, size_.edges});
      // Two routers of a dimension have one cable, not two.
      if (size > 1) size_.edges = limited(size_.edges + (size == 2 ? routers / 2 : routers));
      stride = limited_product(stride, size);
    }
  }

  std::string switch_name(std::uint32_t number) const override {
    std::string name;
    for (const Dimension& dimension : dimensions_)
      name += (name.empty() ? "r" : "x") + std::to_string(number / dimension.stride % dimension.size);
    return name;
  }

  std::vector<Wire> wires() const override {
    std::vector<Wire> wires;
    for (std::uint32_t member = 0; member < size_.members; ++member) wires.push_back({vertex(member / nodes_), member});
    for (const Dimension& dimension : dimensions_)
      for (std::uint64_t router = 0; router < size_.switches; ++router)
        if (dimension.size > 2 || (dimension.size == 2 && router / dimension.stride % 2 == 0))
          wires.push_back({vertex(router), vertex(next(dimension, router)), LinkClass::kSwitch});
    return wires;
  }

  void append_way(std::uint32_t from, std::uint32_t to, std::vector<Step>& way) const override {
    std::uint64_t here = from / nodes_;
    way.push_back({from, vertex(here)});
    for (const Dimension& dimension : dimensions_) {
      const std::uint64_t target = to / nodes_ / dimension.stride % dimension.size;
      const std::uint64_t ahead = (target + dimension.size - here / dimension.stride % dimension.size) % dimension.size;
      const bool plus = 2 * ahead <= dimension.size;
      for (std::uint64_t hops = plus ? ahead : dimension.size - ahead; hops > 0; --hops) {
        const std::uint64_t there = plus ? next(dimension, here) : previous(dimension, here);
        way.push_back({cable(dimension, plus ? here : there), vertex(there)});
        here = there;
      }
    }
    way.push_back({to, to});
  }

 private:
  struct Dimension {
    std::uint64_t size, stride, first_edge;
  };

  std::uint32_t vertex(std::uint64_t router) const { return static_cast<std::uint32_t>(size_.members + router); }

  static std::uint64_t next(const Dimension& dimension, std::uint64_t router) {
    const bool last = router / dimension.stride % dimension.size + 1 == dimension.size;
    return last ? router - dimension.stride * (dimension.size - 1) : router + dimension.stride;
  }

  static std::uint64_t previous(const Dimension& dimension, std::uint64_t router) {
    const bool first = router / dimension.stride % dimension.size == 0;
    return first ? router + dimension.stride * (dimension.size - 1) : router - dimension.stride;
  }

  // From a router in + direction.
  static std::uint32_t cable(const Dimension& dimension, std::uint64_t router) {
    const std::uint64_t stride = dimension.stride;
    const std::uint64_t number = dimension.size > 2 ? router : router / (2 * stride) * stride + router % stride;
    return static_cast<std::uint32_t>(dimension.first_edge + number);
  }

  std::uint32_t nodes_;
  std::vector<Dimension> dimensions_;
};

}  // namespace

std::shared_ptr<const FabricShape> make_shape(const Torus& torus) { return std::make_shared<TorusShape>(torus); }

}  // namespace plumbline::hw
