#pragma once
#include "replay/engine/replay.hpp"

namespace plumbline::hw {}  // namespace plumbline::hw
