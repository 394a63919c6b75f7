#include "hwmodels/platform/fabric.hpp"

namespace plumbline::hw {

const LinkTemplate& link_of(const Fabric& fabric, LinkClass link) {
  switch (link) {
    case LinkClass::kNode:
      return fabric.node_link;
    case LinkClass::kSwitch:
      return fabric.switch_link;
    case LinkClass::kGlobal:
      break;
  }
  return fabric.global_link;
}

}  // namespace plumbline::hw
