#pragma once
#include "replay/engine/replay.hpp"

namespace plumbline::hw {
<<<<<<< ours
struct Wrong {};
=======
struct Wrong;
>>>>>>> theirs
}  // namespace plumbline::hw
