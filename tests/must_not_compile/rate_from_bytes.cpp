// An amount of data is a rate only over a time.
// expected: conversion from 'plumbline::Bytes' to non-scalar type '(const )?plumbline::BytesPerSecond' requested
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr BytesPerSecond kRate = Bytes{1};
#else
constexpr BytesPerSecond kRate{1};
#endif
