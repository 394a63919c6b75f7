#include "hwmodels/platform/fabric_shape.hpp"

#include <variant>

namespace plumbline::hw {
namespace {

struct ShapeMaker {
  std::uint32_t members;

  std::shared_ptr<const FabricShape> operator()(const Star& star) const { return make_shape(star, members); }
  template <class Shape>
  std::shared_ptr<const FabricShape> operator()(const Shape& shape) const {
    return make_shape(shape);
  }
};

}  // namespace

std::shared_ptr<const FabricShape> shape_of(const Fabric& fabric) {
  return std::visit(ShapeMaker{fabric.members}, fabric.shape);
}

std::uint32_t vertex_of(const Fabric& fabric, std::size_t nodes, std::uint32_t vertex) {
  if (vertex < fabric.members) return fabric.first_node + vertex;
  return static_cast<std::uint32_t>(nodes) + fabric.first_switch + (vertex - fabric.members);
}

}  // namespace plumbline::hw
