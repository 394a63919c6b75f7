#pragma once
#include "sim/third.hpp"
