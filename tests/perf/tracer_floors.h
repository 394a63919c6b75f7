/* What no tracer can do without, for comparison in the same process.
 * A: two stamps of the cheapest trustworthy clock and 32 bytes into memory that has been touched.
 * B: the same stamps and 48 bytes into a mapped file as the spool is one, allocated and populated, never written twice.
 */
#ifndef PLUMBLINE_TESTS_PERF_TRACER_FLOORS_H
#define PLUMBLINE_TESTS_PERF_TRACER_FLOORS_H

enum { kFloorA = 2000, kFloorB = 22500 }; /* per batch; B: more than 1 GB in 1,000 batches */

void open_floors(const char* directory);
void floor_a(void); /* a batch */
void floor_b(void);
void prepare_floor_b(void); /* room for the next batch; not part of it */
void close_floors(void);

double now_ns(void);

#endif
