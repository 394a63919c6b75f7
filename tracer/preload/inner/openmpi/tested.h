/* Builds of Open MPI that the hooks have been tested with: what MPI_Get_library_version begins with, and the build id
 * of libmpi.so.40 (`readelf -n`). Another one has to pass the trial (trial.c). */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_TESTED_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_TESTED_H

static const struct pl_tested_build {
  const char *version, *build_id;
} pl_tested_builds[] = {
    {"Open MPI v4.1.4, package: Debian OpenMPI", "2a2f4d8c4f8dc5dcc63f6789a50f3ab49f61e168"}, /* Debian 12, amd64 */
};

#endif
