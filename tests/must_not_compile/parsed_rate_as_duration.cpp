// What parse_rate() understood is a rate, whatever it is assigned to.
// expected: conversion from 'plumbline::BytesPerSecond' to non-scalar type '(const )?plumbline::Duration' requested
#include "base/quantity.hpp"

using namespace plumbline;

#ifdef WRONG
const Duration latency = *parse_rate("1MB/s");
#else
const Duration latency = *parse_duration("1us");
#endif
