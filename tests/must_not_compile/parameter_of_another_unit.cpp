// A parameter of a platform keeps its unit when it is copied.
// expected: conversion from .*Parameter<plumbline::BytesPerSecond>.* to non-scalar type
// .*Parameter<plumbline::Duration>.* requested
#include "base/units.hpp"
#include "hwmodels/platform/parameter.hpp"

using namespace plumbline;

#ifdef WRONG
hw::Parameter<Duration> gap(const hw::Parameter<BytesPerSecond>& rate) {
  const hw::Parameter<Duration> copy = rate;
  return copy;
}
#else
hw::Parameter<Duration> gap(const hw::Parameter<Duration>& latency) {
  const hw::Parameter<Duration> copy = latency;
  return copy;
}
#endif
