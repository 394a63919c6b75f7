#pragma once
// The expected archive: the events of the observed one in the same order on the same locations, with the times at which
// the replay expects them, and on the Leave of each program-level call what it expects of the call
// (docs/reference/trace-format-expected.md).

#include <filesystem>
#include <string>
#include <string_view>

#include "base/files/output.hpp"
#include "base/team/shared_work.hpp"
#include "hwmodels/usage/use_history.hpp"
#include "replay/expect/archive/writers_of_events.hpp"
#include "replay/expect/columns/columns.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::replay {

// Times inside a call are mapped linearly from its observed to its expected interval, times between calls likewise from
// gap to gap; locations that speak for no rank follow the rank of their process. Throws Error when `expected` does not
// fit the archive.
// What the components of the platform did is on locations of their own. Several writers write it, each some locations,
// and the archive is the same to the byte. Where one of them cannot do its part, this process writes all.
void write_expected(archive::Reader& observed, const Expected& expected, const hw::UseRecord& use,
                    const std::filesystem::path& directory, Overwrite overwrite, const WritersOfEvents& writers = {});

// The columns of an expected archive, by the rule that cut the observed one into operations. Of any other archive:
// `free` is its times, lower, upper and as_run its durations, and band is 0. With `workers` several processes read it,
// each some ranks, where that takes less time; what comes out is the same.
Expected read_expected(archive::Reader& reader, const Scratch& scratch = {}, Workers* workers = nullptr);

// Whether a replay wrote it.
bool is_expected(const archive::Definitions& definitions);

// Error (not comparable) where the archive is an expected one, which `verb` takes second: "compare". `name` is the
// user's.
void require_observed(const archive::Definitions& definitions, const std::string& name, std::string_view verb);

// The columns of an expected archive hold for the recording that it was made from alone: Error (not comparable) for
// another one. The names are the user's.
void require_made_from(const Expected& expected, const Program& observed, const std::string& expected_name,
                       const std::string& observed_name);

}  // namespace plumbline::replay
