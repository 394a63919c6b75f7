#pragma once
// Spools are written where the ranks run. Each rank is started by a keeper (`plumbline record --rank`), which waits for
// it and notes how it ended: its launcher tells nobody. When the rank may be on another node than this one the keeper
// also moves its spool to a directory that all nodes see (--gather DIR).

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "tracer/record/launch/launch.hpp"

namespace plumbline::record {

// Whether the command line or the environment (a batch system, a default list of hosts) names nodes to run on.
bool may_leave_this_node(Launcher launcher, const Command& command);

// `command` with `keeper` in front of the program of every application. Nothing when it cannot be told where the
// programs are: an option that is not Hydra's or srun's, a configuration file, a blank in the keeper's own path under
// Open MPI. Blanks in its other words are coded for Open MPI, which kWithoutBlanks behind --rank says.
std::optional<Command> with_keeper(Launcher launcher, const Command& command, const Command& keeper);

// Words of a command line that is split at blanks: %20 for a blank, %25 for %.
inline constexpr char kWithoutBlanks[] = "--without-blanks";
std::string without_blanks(const std::string& word);
std::string with_blanks(const std::string& coded);

// The keeper: runs one rank under the tracer with a spool in a directory of its node, waits, moves the spool to
// `gather`. Until that is done a note there says where the spool is. Signals go on to the rank; a keeper that is killed
// takes its rank with it. `gather` must be there. When the move fails it says so, and the spool stays where it is.
// Samples its node too, unless another keeper of the run does (node_sampler.hpp). Throws Error when the rank cannot be
// started.
ProgramEnd keep_rank(const Command& command, const std::filesystem::path& gather, const Settings& settings = {},
                     Duration sample_interval = {});

// The keeper of a rank that writes its spool where it is to stay. A keeper that is killed takes its rank with it.
ProgramEnd keep_rank_at(const Command& command, const std::filesystem::path& spool, const Settings& settings = {},
                        Duration sample_interval = {});

// A program without MPI, with all processes that it starts, until the last of them has ended: with spools in `spool`,
// ..
ProgramEnd run_server(const Command& command, const std::filesystem::path& spool, const Settings& settings = {},
                      Duration sample_interval = {});
// .. or in a directory of this node, moved to `gather` at the end, where the clocks of nodes are compared too.
ProgramEnd keep_server(const Command& command, const std::filesystem::path& gather, const Settings& settings = {},
                       Duration sample_interval = {});
// A directory for the spools of run_server().
std::filesystem::path make_server_spools();

// Where spools lie that were not moved to `gather` ("node3:/tmp/plumbline-x-a1b2c3"), sorted.
std::vector<std::string> not_gathered(const std::filesystem::path& gather);

}  // namespace plumbline::record
