/* What no tracer can do without, for comparison in the same process.
 * A: two stamps of the cheapest trustworthy clock and 32 bytes into memory that has been touched.
 * B: the same stamps and 48 bytes into a mapped file as the spool is one, allocated and populated, never written twice.
 * C: B as it must be done for a message that a library sends or receives inside of its calls. The half that is known
 *    before is written before, by a function in front of the library's, which it calls by a pointer; the other half by
 *    a callback, which gets no more than the place of the record. So: two stamps, 40 bytes and then 32, of which 24 for
 *    the second time, and two indirect calls. */
#ifndef PLUMBLINE_TESTS_PERF_TRACER_FLOORS_H
#define PLUMBLINE_TESTS_PERF_TRACER_FLOORS_H

enum { kFloorA = 2000, kFloorB = 22500 /* more than 1 GB in 1,000 batches */, kFloorC = 2000 }; /* per batch */

void open_floors(const char* directory);
void floor_a(void); /* a batch */
void floor_b(void);
void floor_c(void);
void prepare_floors(void); /* room for the next batches of B and C; not part of them */
void close_floors(void);

double now_ns(void);

#endif
