// Durations are whole picoseconds. A fraction would be cut off without a word.
// expected: conversion from 'double' to 'int64_t' .*changes value
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr Duration kHalf = seconds(3) * 0.5;
#else
constexpr Duration kHalf = duration_from_seconds(3 * 0.5);
#endif
