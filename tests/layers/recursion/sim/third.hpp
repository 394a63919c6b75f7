#pragma once
#include "sim/first.hpp"
