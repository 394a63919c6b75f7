#pragma once
// How each shape of fabric is numbered, wired and crossed, in numbers of its own: vertices are the members from 0 on,
// then the switches; edges count from 0.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hwmodels/platform/fabric.hpp"

namespace plumbline::hw {

struct Wire {
  std::uint32_t from = 0, to = 0;  // vertices
  LinkClass link = LinkClass::kNode;
  std::int32_t parallel = -1;  // number among the cables between these ends; -1 where there is one only
};

// One edge of a way and the vertex behind it.
struct Step {
  std::uint32_t edge = 0, to = 0;
};

// What a shape needs; each stops at kMostParts + 1.
struct ShapeSize {
  std::uint64_t members = 0, switches = 0, edges = 0;
};

constexpr std::uint64_t kMostParts = 10'000'000;

// The product or sum of two such numbers, at most kMostParts + 1.
constexpr std::uint64_t limited(std::uint64_t number) { return number <= kMostParts ? number : kMostParts + 1; }
constexpr std::uint64_t limited_product(std::uint64_t a, std::uint64_t b) { return limited(limited(a) * limited(b)); }

class FabricShape {
 public:
  virtual ~FabricShape() = default;

  ShapeSize size() const { return size_; }
  virtual std::string switch_name(std::uint32_t number) const = 0;  // without prefix
  virtual std::vector<Wire> wires() const = 0;

  // Appends the way from one member to another one, without its beginning.
  virtual void append_way(std::uint32_t from, std::uint32_t to, std::vector<Step>& way) const = 0;

 protected:
  ShapeSize size_;
};

// Takes any numbers from 1 on; those of a fabric with a fault_of_shape() may only be asked for their size.
std::shared_ptr<const FabricShape> shape_of(const Fabric& fabric);

// In numbers of a platform of so many nodes.
std::uint32_t vertex_of(const Fabric& fabric, std::size_t nodes, std::uint32_t vertex);

std::shared_ptr<const FabricShape> make_shape(const Star& star, std::uint32_t members);
std::shared_ptr<const FabricShape> make_shape(const FatTree& tree);
std::shared_ptr<const FabricShape> make_shape(const Torus& torus);
std::shared_ptr<const FabricShape> make_shape(const Dragonfly& dragonfly);

}  // namespace plumbline::hw
