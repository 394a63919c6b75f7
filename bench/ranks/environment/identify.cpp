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

// Before MPI_Init, because some libraries poll from there on. A machine that looks like very many nodes tells of some.
void time_noise(const std::filesystem::path& to, const std::string& host) {
  constexpr double kMostTurn = 15, kMostQuiet = 20;  // s
  if (is_first(to / (".noise-" + host))) {
    const MachineTurn turn(to, kMostTurn);
    const auto noise = turn.is_had() ? node::interruptions_of(node::time_interruptions()) : std::nullopt;
    node::Facts facts;
    if (noise) add_interruptions(facts, *noise);
    write_file(to / fmt::format("noise-{}.json", host), node::to_json(facts), Overwrite::kYes);
  }
  wait_for_quiet(to, kMostQuiet);
}

}  // namespace

void identify_before_init(const std::filesystem::path& to) {
  const node::RankIdentity own = identity_before_init();
  write_identity(to, own);
  time_noise(to, own.host);
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
