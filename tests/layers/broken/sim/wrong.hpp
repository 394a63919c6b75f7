#pragma once
#include "replay/engine/replay.hpp"

namespace plumbline::hw {
struct Wrong {};
}  // namespace plumbline::hw
