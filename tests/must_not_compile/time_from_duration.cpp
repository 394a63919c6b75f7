// A duration is a point in time only behind a start that is named.
// expected: conversion from 'plumbline::Duration' to non-scalar type '(const )?plumbline::Time' requested
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr Time kEnd = seconds(1);
#else
constexpr Time kEnd = Time{} + seconds(1);
#endif
