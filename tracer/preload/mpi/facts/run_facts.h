/* Facts about a run, asked once when MPI_Init has returned. */
#ifndef PLUMBLINE_TRACER_PRELOAD_RUN_FACTS_H
#define PLUMBLINE_TRACER_PRELOAD_RUN_FACTS_H

#include "tracer/preload/core/preload.h"

/* run_facts.c */
void pl_define_run_facts(struct pl_thread* t);
void pl_define_mounts(struct pl_thread* t); /* if they are others than those told last */

/* tcp_connections.c: of those that are open */
void pl_define_tcp_connections(struct pl_thread* t);

/* ucx_facts.c */
void pl_define_ucx(struct pl_thread* t); /* where something has loaded it */
/* Appends a line to `ways`, text that ends before `limit`, where none is like it: how messages go by this endpoint. */
void pl_add_ucx_way(void* endpoint, char* ways, char* limit);

/* control_variables.c; of Open MPI: mca_variables.c */
void pl_define_control_variables(struct pl_thread* t);
void pl_define_file_variables(struct pl_thread* t); /* when a file has been opened; once */

/* start_end.c: true of names that may hold a secret */
int pl_sounds_secret(const char* name, size_t length);

/* real.c */
void* pl_mpi_symbol(const char* name);                         /* of the program's MPI library, or NULL */
void* pl_loaded_symbol(const char* library, const char* name); /* of a library that is there already, or NULL */

#endif
