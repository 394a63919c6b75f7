// A sum of many durations may be longer than the longest duration, so it does not become one without a check.
// expected: conversion from 'plumbline::TimeSum' to non-scalar type '(const )?plumbline::Duration' requested
#include "base/time_sum.hpp"

using namespace plumbline;

#ifdef WRONG
Duration kept(TimeSum sum) {
  const Duration whole = sum;
  return whole;
}
#else
Duration kept(TimeSum sum) {
  const Duration whole = sum.duration().value();
  return whole;
}
#endif
