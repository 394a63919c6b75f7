// An event is due at a point in time. Without a start a delay is none.
// expected: no match for 'operator=' .*'plumbline::Time' and 'plumbline::Duration'
#include "sim/event_queue.hpp"

using namespace plumbline;

#ifdef WRONG
void delay(sim::Event& event, const sim::EventQueue&) { event.at = seconds(1); }
#else
void delay(sim::Event& event, const sim::EventQueue& queue) { event.at = queue.now() + seconds(1); }
#endif
