#pragma once
#include "replay/engine/replay.hpp"
