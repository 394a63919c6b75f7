#pragma once
// How ranks tell each other of texts, cells and faults.

#include <mpi.h>

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

// Collective; the answer is on rank 0, empty elsewhere.
std::vector<std::string> gather_texts(MPI_Comm comm, std::string_view own);

// Collective; the text of rank 0.
std::string broadcast_text(MPI_Comm comm, std::string text);

// Gives the cells of all ranks, in the order of the ranks. Collective over context.world: for what was measured on
// communicators without rank 0.
void give_of_all(const Context& context, const std::vector<Cell>& own);

// "MPI_ERR_TRUNCATE: message truncated"
std::string text_of_failure(const MpiFailure& failure);

// What is wrong on the lowest rank where something is, on every rank; which one is said unless it is wrong on all.
// Empty: nothing. Collective.
std::string first_fault(MPI_Comm comm, const std::string& own);

// What `make` gives; throws Error on all ranks where it failed on one, as memory and files may. Collective.
template <class Make>
auto together(MPI_Comm comm, Make make) {
  decltype(make()) made{};
  std::string fault;
  try {
    made = make();
  } catch (const std::exception& error) {
    fault = error.what();
  } catch (const MpiFailure& failure) {
    fault = text_of_failure(failure);
  }
  fault = first_fault(comm, fault);
  if (!fault.empty()) throw Error("", fault);
  return made;
}

}  // namespace plumbline::bench
