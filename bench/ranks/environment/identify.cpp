#include "bench/ranks/environment/identify.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/node/consumers.hpp"
#include "base/node/facts.hpp"
#include "base/node/first_use.hpp"
#include "base/node/interruptions.hpp"
#include "base/node/reading.hpp"
#include "bench/ranks/environment/identity.hpp"
#include "bench/ranks/environment/machine_turn.hpp"

namespace plumbline::bench {
namespace {

// True for one of all processes that ask with the same name.
bool is_first(const std::filesystem::path& claim) {
  const int file = ::open(claim.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0 && errno != EEXIST) throw_system_error(claim.string(), "cannot be made", errno);
  if (file >= 0) ::close(file);
  return file >= 0;
}

void write_identity(const std::filesystem::path& to, const node::RankIdentity& own) {
  write_file(to / fmt::format("rank-{}-{}.json", own.host, own.process), node::to_json(own), Overwrite::kYes);
}

// Empty where the node does not tell: where a quota of a control group stops those that compute, and where a machine
// looks like so many nodes that the turn did not come.
node::Facts noise_of_node(const std::filesystem::path& to, double quota_cores) {
  constexpr double kMostTurn = 15;  // s
  node::Facts facts;
  if (quota_cores > 0) return facts;
  const MachineTurn turn(to, kMostTurn);
  if (!turn.is_had()) return facts;
  if (const auto noise = node::interruptions_of(node::time_interruptions())) add_interruptions(facts, *noise);
  return facts;
}

// Before MPI_Init, because some libraries poll from there on.
void time_noise(const std::filesystem::path& to, const node::RankIdentity& own) {
  constexpr double kMostQuiet = 20;  // s
  const std::filesystem::path file = to / fmt::format("noise-{}.json", own.host);
  if (is_first(to / (".noise-" + own.host)))
    write_file(file, node::to_json(noise_of_node(to, own.quota_cores)), Overwrite::kYes);
  wait_for_quiet(to, file, kMostQuiet);
}

}  // namespace

void identify_before_init(const std::filesystem::path& to) {
  const node::RankIdentity own = identity_before_init();
  write_identity(to, own);
  time_noise(to, own);
}

void identify(const std::filesystem::path& to, const std::vector<std::filesystem::path>& directories) {
  const node::RankIdentity own = own_identity();
  write_identity(to, own);
  if (!is_first(to / (".node-" + own.host))) return;
  node::ReadOptions options;
  options.directories = directories;
  options.first_use_of_memory = node::time_first_use;
  write_file(to / fmt::format("node-{}.json", own.host), node::to_json(node::read_settings(options)), Overwrite::kYes);
  node::Facts counters = node::read_counters(options);
  node::add_consumers(counters);
  write_file(to / fmt::format("counters-{}.json", own.host), node::to_json(counters), Overwrite::kYes);
}

}  // namespace plumbline::bench
