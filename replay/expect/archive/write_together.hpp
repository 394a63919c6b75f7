#pragma once
// The events of an expected archive, written by several processes, each some locations.

#include <optional>

#include "base/team/shared_work.hpp"
#include "replay/expect/archive/expected_events.hpp"
#include "replay/expect/archive/writers_of_events.hpp"

namespace plumbline::replay {

// Each process opens the observed archive by its path, from the same working directory, unless it was forked for this.
extern const SharedWork kWriteExpected;

// All events of the archive that `whole` makes: how long it lasts. Processes that were not forked find the columns in a
// file beside that archive, which has gone when this returns. Nothing where one process has to do it: where the others
// do not see that directory, or there is no room for the file. Then nothing was written.
std::optional<Duration> write_events_together(const WritersOfEvents& writers, const EventsSource& source,
                                              archive::Writer& whole);

}  // namespace plumbline::replay
