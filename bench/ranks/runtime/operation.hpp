#pragma once
// Operations for plumbline_measure() made of anything that can be called.

#include <initializer_list>

#include "bench/library/plumbline/bench.h"

namespace plumbline::bench {

// `body`: int(MPI_Comm), which must not throw and must outlive the operation.
template <class Body>
plumbline_operation operation_of(const char* name, Body& body) {
  plumbline_operation operation{};
  operation.name = name;
  operation.execute = [](void* state, MPI_Comm comm) { return (*static_cast<Body*>(state))(comm); };
  operation.state = const_cast<void*>(static_cast<const void*>(&body));
  return operation;
}

// The first that failed; MPI_SUCCESS if none did. A list: its members are evaluated one after the other, arguments of a
// function in any order.
inline int first_failure(std::initializer_list<int> codes) {
  for (const int code : codes)
    if (code != MPI_SUCCESS) return code;
  return MPI_SUCCESS;
}

}  // namespace plumbline::bench
