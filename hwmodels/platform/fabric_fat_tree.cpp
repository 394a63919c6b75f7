// An element of level l has a low part, which parent was taken in each level up to l, and a high part, in which subtree
// of each level above l it lies. Its number in its level is low + (product of `up` to level l) · high.

#include <cstddef>

#include "hwmodels/platform/fabric_shape.hpp"

namespace plumbline::hw {
namespace {

class FatTreeShape final : public FabricShape {
 public:
  explicit FatTreeShape(const FatTree& tree) : tree_(tree) {
    std::uint64_t high = 1, low = 1, below = 1;
    for (const std::uint32_t down : tree_.down) high = limited_product(high, down);
    size_.members = high;
    std::uint64_t elements = high, first_vertex = 0;
    add_level(elements, low, below, first_vertex, 0);
    for (std::size_t l = 0; l < tree_.down.size(); ++l) {
      const std::uint64_t first_edge = size_.edges;
      size_.edges += limited_product(limited_product(elements, tree_.up[l]), tree_.count[l]);
      first_vertex = limited(first_vertex + elements);
      low = limited_product(low, tree_.up[l]);
      below = limited_product(below, tree_.down[l]);
      high /= tree_.down[l];
      elements = limited_product(low, high);
      size_.switches = limited(size_.switches + elements);
      size_.edges = limited(size_.edges);
      add_level(elements, low, below, first_vertex, first_edge);
    }
  }

  std::string switch_name(std::uint32_t number) const override {
    std::size_t l = 1;
    for (; number >= levels_[l].elements; ++l) number -= levels_[l].elements;
    return "l" + std::to_string(l) + "s" + std::to_string(number);
  }

  std::vector<Wire> wires() const override {
    std::vector<Wire> wires;
    for (std::size_t l = 1; l < levels_.size(); ++l) {
      const std::uint32_t up = tree_.up[l - 1], count = tree_.count[l - 1];
      for (std::uint32_t child = 0; child < levels_[l - 1].elements; ++child)
        for (std::uint32_t parent = 0; parent < up; ++parent)
          for (std::uint32_t q = 0; q < count; ++q)
            wires.push_back({vertex(l, parent_of(l, child, parent)), vertex(l - 1, child),
                             l == 1 ? LinkClass::kNode : LinkClass::kSwitch,
                             count > 1 ? static_cast<std::int32_t>(q) : -1});
    }
    return wires;
  }

  void append_way(std::uint32_t from, std::uint32_t to, std::vector<Step>& way) const override {
    std::size_t l = 0;
    std::uint32_t here = from;
    for (; here / levels_[l].low != to / levels_[l].below; ++l) {
      const std::uint32_t parent = to / levels_[l].low % tree_.up[l];
      const std::uint32_t edge = cable(l, here, parent, to);
      here = parent_of(l + 1, here, parent);
      way.push_back({edge, vertex(l + 1, here)});
    }
    for (; l > 0; --l) {
      const std::uint32_t low = here % levels_[l].low, low_below = levels_[l - 1].low;
      here = low % low_below + low_below * (to / levels_[l - 1].below);
      way.push_back({cable(l - 1, here, low / low_below, to), vertex(l - 1, here)});
    }
  }

 private:
  struct Level {
    std::uint32_t elements;
    std::uint32_t low;    // number of low parts: the product of `up` to here
    std::uint32_t below;  // members under an element: the product of `down` to here
    std::uint32_t first_vertex;
    std::uint32_t first_edge;  // of those to the level below
  };

  // All of them fit, or the shape is refused (fault_of_shape).
  void add_level(std::uint64_t elements, std::uint64_t low, std::uint64_t below, std::uint64_t first_vertex,
                 std::uint64_t first_edge) {
    levels_.push_back({static_cast<std::uint32_t>(elements), static_cast<std::uint32_t>(low),
                       static_cast<std::uint32_t>(below), static_cast<std::uint32_t>(first_vertex),
                       static_cast<std::uint32_t>(first_edge)});
  }

  std::uint32_t vertex(std::size_t l, std::uint32_t element) const { return levels_[l].first_vertex + element; }

  // The number in level l of the given parent of a child in level l - 1.
  std::uint32_t parent_of(std::size_t l, std::uint32_t child, std::uint32_t parent) const {
    const std::uint32_t low = child % levels_[l - 1].low, high = child / levels_[l - 1].low;
    return low + levels_[l - 1].low * parent + levels_[l].low * (high / tree_.down[l - 1]);
  }

  // From a child in level l to one of its parents, on the way to a member or from above to it.
  std::uint32_t cable(std::size_t l, std::uint32_t child, std::uint32_t parent, std::uint32_t member) const {
    const std::uint32_t q = member / levels_[l + 1].low % tree_.count[l];
    return levels_[l + 1].first_edge + (child * tree_.up[l] + parent) * tree_.count[l] + q;
  }

  FatTree tree_;
  std::vector<Level> levels_;  // from the members on
};

}  // namespace

std::shared_ptr<const FabricShape> make_shape(const FatTree& tree) { return std::make_shared<FatTreeShape>(tree); }

}  // namespace plumbline::hw
