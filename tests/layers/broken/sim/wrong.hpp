#pragma once
#include "replay/replay.hpp"
