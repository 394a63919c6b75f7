/* Other layers of the profiling interface: objects (libraries, the program itself) that define functions of MPI by
 * themselves and call PMPI_ functions in them. One behind us is called where it would be called without us, inside of
 * the call that is recorded. One in front of us hides our functions: then what it calls by PMPI_ names is recorded. */
#ifndef PLUMBLINE_TRACER_PRELOAD_LAYERS_H
#define PLUMBLINE_TRACER_PRELOAD_LAYERS_H

#include "tracer/preload/mpi/mpi_side.h"

#pragma GCC visibility push(hidden)

/* The functions of layers behind us, NULL where the library's own is the next; and the library's own, PMPI_. */
extern struct pl_mpi pl_layers, pl_library;

/* A call that must not go through the layers: it comes from a Fortran binding, or from a layer. It holds for the one
 * call of a real function that the wrapper makes. */
extern __thread int pl_past_layers __attribute__((tls_model("initial-exec")));

/* Sets pl_mpi, pl_layers and pl_library. `library`: where the loader of the program has no MPI library in its global
 * scope, a handle of one; else NULL. */
void pl_find_functions(void* library);

/* The object of a function for Fortran that is no binding's: 1 if it is a layer, not the MPI library itself. */
int pl_add_layer(const void* function);

/* Whether there are any, and whether code is that of one. */
extern int pl_layer_count;
int pl_is_layer(const void* return_address);

int pl_is_binding_file(const char* path); /* of Fortran, by its name */

/* Whether a function lies in the MPI library, of which `init` is one, or in a Fortran binding. */
int pl_is_of_library(const void* function, const void* init);

/* Says in the recording which functions are whose. */
void pl_define_layers(struct pl_thread* t);

#pragma GCC visibility pop

#endif
