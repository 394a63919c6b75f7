// A number has no unit: nobody knows whether 5 are picoseconds or seconds.
// expected: conversion from 'int' to non-scalar type '(const )?plumbline::Duration' requested
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr Duration kWait = 5;
#else
constexpr Duration kWait = microseconds(5);
#endif
