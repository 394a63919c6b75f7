#pragma once
// Operations for plumbline_measure() made of anything that can be called.

#include "bench/library/plumbline/bench.h"

namespace plumbline::bench {

// `body`: int(MPI_Comm), which must not throw and must outlive the operation.
template <class Body>
plumbline_operation operation_of(const char* name, Body& body) {
  plumbline_operation operation{};
  operation.name = name;
  operation.execute = [](void* state, MPI_Comm comm) { return (*static_cast<Body*>(state))(comm); };
  operation.state = &body;
  return operation;
}

// The first that failed; MPI_SUCCESS if none did.
inline int first_failure(int one, int other) { return one != MPI_SUCCESS ? one : other; }

}  // namespace plumbline::bench
