#include "bench/ranks/network/families.hpp"

#include "bench/ranks/runtime/catalogue.hpp"

namespace plumbline::bench {

std::span<const Family> network_families() {
  using namespace network;
  static const Family all[] = {kPrtt, kPairs, kStreams, kProtocol, kProgress, kOverheads, kOrder, kQueue, kFrames};
  return all;
}

}  // namespace plumbline::bench
