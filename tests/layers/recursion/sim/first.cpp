#include "sim/first.hpp"

#include "sim/second.hpp"
