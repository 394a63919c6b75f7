/* Calls that come through the Fortran bindings of MPI (generate_fortran.py makes their entries). */
#ifndef PLUMBLINE_TRACER_PRELOAD_FORTRAN_H
#define PLUMBLINE_TRACER_PRELOAD_FORTRAN_H

#include <stddef.h>
#include <stdint.h>

#include "tracer/preload/core/preload.h"

/* A function that bindings call by its PMPI_ name. */
struct pl_bound {
  const char* name;       /* PMPI_ */
  size_t offset;          /* of the real one in struct pl_mpi */
  const char* callers[2]; /* functions that call it for the program, of which a library has one; none: all of them */
  void (*entry)(void);
  void (*outer)(void); /* where others go when there are other layers */
};
extern const struct pl_bound pl_bound[];
extern const unsigned pl_bound_count;

/* What an entry PMPI_ decides by; in the order of pl_bound. */
struct pl_gate {
  uint64_t begin, bytes; /* calls that return into these are the program's */
  void (*next)(void);    /* the real function, where others go */
};
extern struct pl_gate pl_gates[];
/* With other layers nothing is in the gates, and these say what is a binding's. */
extern struct pl_gate pl_binding_gates[];
/* With other layers: the call is the program's, and goes past them. */
int pl_is_past_layers(unsigned number, const void* return_address);

#if defined(__x86_64__)
/* Entries of Fortran, and the real ones. The numbers of both kinds of entries are one row: these come last. */
extern const char* const pl_fortran_names[];
extern void (*pl_fortran_next[])(void);
extern const unsigned pl_fortran_first_number;
#else
void (*pl_fortran_next_of(unsigned number))(void);
PL_INLINE int pl_is_programs(unsigned number, void* return_address) {
  return (uint64_t)(uintptr_t)return_address - pl_gates[number].begin < pl_gates[number].bytes;
}
#endif

#endif
