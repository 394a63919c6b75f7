#pragma once
// Everything that the loop works on and that the control protocol asks about or changes, in the loop's thread.

#include <cstdint>
#include <vector>

#include "tests/lab/switch/histogram.hpp"
#include "tests/lab/switch/model.hpp"
#include "tests/lab/switch/pcap.hpp"

namespace plumbline::lab {

struct Plant {
  Fabric fabric;
  Histogram lateness;                  // of handing out, against the model
  std::vector<std::uint64_t> refused;  // by port: frames that the node's kernel did not take
  Capture capture;
};

}  // namespace plumbline::lab
