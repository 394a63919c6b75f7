#include "hwmodels/platform/fabric_shape.hpp"

namespace plumbline::hw {
namespace {

class StarShape final : public FabricShape {
 public:
  explicit StarShape(std::uint32_t members) : members_(members) { size_ = {limited(members), 1, limited(members)}; }

  std::string switch_name(std::uint32_t number) const override { return "s" + std::to_string(number); }

  std::vector<Wire> wires() const override {
    std::vector<Wire> wires;
    for (std::uint32_t member = 0; member < members_; ++member) wires.push_back({members_, member});
    return wires;
  }

  void append_way(std::uint32_t from, std::uint32_t to, std::vector<Step>& way) const override {
    way.push_back({from, members_});
    way.push_back({to, to});
  }

 private:
  std::uint32_t members_;
};

}  // namespace

std::shared_ptr<const FabricShape> make_shape(const Star& /*star*/, std::uint32_t members) {
  return std::make_shared<StarShape>(members);
}

}  // namespace plumbline::hw
