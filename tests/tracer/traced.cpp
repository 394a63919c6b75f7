#include "tests/tracer/traced.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace plumbline::spool::test {
namespace {

std::string whole_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string sorted_lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

std::vector<std::uint32_t> halves(std::span<const std::uint64_t> words, std::size_t n) {
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(i % 2 == 0 ? low(words[i / 2]) : high(words[i / 2]));
  return values;
}

Comm comm_of(std::span<const std::uint64_t> words) {
  const std::size_t size = low(words[1]), remote = low(words[2]);
  const std::vector<std::uint32_t> ranks = halves(words.subspan(3), size + remote);
  Comm comm{.parent = high(words[0]), .sequence = high(words[2]), .own_rank = static_cast<int>(high(words[1]))};
  for (std::size_t i = 0; i < ranks.size(); ++i)
    (i < size ? comm.members : comm.remote).push_back(static_cast<int>(ranks[i]));
  return comm;
}

Datatype type_of(std::span<const std::uint64_t> words) {
  Datatype type{.combiner = high(words[0]),
                .size = static_cast<std::int64_t>(words[1]),
                .lower = static_cast<std::int64_t>(words[2]),
                .extent = static_cast<std::int64_t>(words[3])};
  const std::size_t integers = low(words[4]), addresses = high(words[4]);
  for (const std::uint64_t word : words.subspan(6, integers)) type.integers.push_back(static_cast<std::int64_t>(word));
  for (const std::uint64_t word : words.subspan(6 + integers, addresses))
    type.addresses.push_back(static_cast<std::int64_t>(word));
  type.types = halves(words.subspan(6 + integers + addresses), low(words[5]));
  return type;
}

// What the tracer leaves out of completions because it is as it was posted.
class Posted {
 public:
  void note(const Call& call) {
    if (call.layout == PL_LAYOUT_RECV && call.words.size() == 3)
      keep(high(call.words[2]), call.words[0], call.words[1]);
    if (call.layout == PL_LAYOUT_ISENDRECV) keep(high(call.words[5]), call.words[3], call.words[4]);
    if (call.layout == PL_LAYOUT_FILE_ACCESS) keep(low(call.words[4]), ~std::uint64_t{0}, call.words[2]);
  }

  void complete(Call& wait) const {
    const std::size_t n = low(wait.words[0]), first = 2 + (n + 1) / 2;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t id = wait.words[2 + i / 2];
      const auto posted = posted_.find(i % 2 == 0 ? low(id) : high(id));
      std::uint64_t &flags = wait.words[first + 2 * i], &peer = wait.words[first + 2 * i + 1];
      if (posted == posted_.end()) continue;
      if ((flags & PL_PEER_AS_POSTED) != 0) peer = posted->second.first;
      if ((flags & PL_BYTES_AS_POSTED) != 0) flags |= posted->second.second;
      flags &= ~(PL_PEER_AS_POSTED | PL_BYTES_AS_POSTED);
    }
  }

 private:
  void keep(std::uint32_t request, std::uint64_t peer, std::uint64_t bytes) {
    if (request != 0) posted_[request] = {peer, bytes};
  }

  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> posted_;
};

}  // namespace

std::vector<std::string> flavours() {
  std::vector<std::string> found;
  for (const char* flavour : {"openmpi", "mpich"})
    if (std::filesystem::exists(preload_library(flavour))) found.emplace_back(flavour);
  return found;
}

std::filesystem::path preload_library(const std::string& flavour) {
  return fmt::format("{}/libplumbline-preload-{}.so", PLUMBLINE_PRELOAD_DIRECTORY, flavour);
}

std::filesystem::path program_path(const std::string& flavour, const std::string& program) {
  return fmt::format("{}/{}/{}", PLUMBLINE_TRACED_PROGRAMS, flavour, program);
}

std::filesystem::path fresh_directory() {
  std::string name = (std::filesystem::temp_directory_path() / "plumbline-traced-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  return name;
}

Outcome run_shell(const std::string& command, const std::filesystem::path& work) {
  const std::string line =
      fmt::format("cd {0} && {{ {1}; }} >{0}/output 2>{0}/errors </dev/null", work.string(), command);
  const int status = std::system(line.c_str());
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .output = sorted_lines(whole_file(work / "output")),
          .errors = whole_file(work / "errors"),
          .work = work,
          .spools = work / "spools"};
}

Outcome run(const Job& job) {
  const std::filesystem::path work = fresh_directory();
  const bool open_mpi = job.flavour == "openmpi";
  std::string command = job.environment;
  command += open_mpi ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 60 "
                        "mpirun.openmpi --oversubscribe"
                      : "timeout 60 mpirun.mpich";
  command += fmt::format(" -n {}", job.ranks);
  const char* set = open_mpi ? " -x {}={}" : " -genv {} {}";
  std::vector<std::string> preloads{job.preload_in_front, job.preload_behind};
  if (job.traced) {
    if (job.spooled) command += fmt::format(fmt::runtime(set), "PLUMBLINE_SPOOL", (work / "spools").string());
    preloads.insert(preloads.begin() + 1, preload_library(job.tracer.empty() ? job.flavour : job.tracer).string());
  }
  std::erase(preloads, "");
  if (!preloads.empty()) command += fmt::format(fmt::runtime(set), "LD_PRELOAD", fmt::join(preloads, ":"));
  std::string program = program_path(job.flavour, job.program).string();
  for (const std::string& argument : job.arguments)
    program += " " + (argument.starts_with("WORK") ? work.string() + argument.substr(4) : argument);
  return run_shell(command + " " + program, work);
}

Content::Content(const std::filesystem::path& path) : spool(path) {
  std::map<std::uint32_t, std::pair<std::string, std::uint32_t>> functions;
  Posted posted;
  for (std::uint32_t thread = 0; thread < spool.threads(); ++thread) {
    spool.for_each(thread, [&](const Record& r) {
      const auto words = r.payload;
      switch (r.function) {
        case PL_DEF_FUNCTION:
          functions[low(words[0])] = {text_of(words.subspan(1)), high(words[0])};
          break;
        case PL_DEF_SITE:
          sites[low(words[0])] = words[1];
          break;
        case PL_DEF_MODULES:
          modules.push_back(text_of(words));
          break;
        case PL_DEF_COMM:
          comms[low(words[0])] = comm_of(words);
          break;
        case PL_DEF_COMM_NAME:
          comm_names[low(words[0])] = text_of(words.subspan(1));
          break;
        case PL_DEF_DATATYPE:
          types[low(words[0])] = type_of(words);
          break;
        case PL_DEF_FILE:
          files[low(words[0])] = text_of(words.subspan(1));
          break;
        case PL_DEF_HINTS:
          hints[{low(words[0]), high(words[0])}] = text_of(words.subspan(1));
          break;
        case PL_DEF_META:
          meta.push_back(text_of(words));
          break;
        case PL_DEF_PERSISTENT:
          persistents[low(words[0])] = {words.begin() + 1, words.end()};
          break;
        case PL_DEF_NEIGHBOURS: {
          const std::vector<std::uint32_t> ranks = halves(words.subspan(2), low(words[1]) + high(words[1]));
          neighbours_to[low(words[0])] = {ranks.begin(), ranks.begin() + low(words[1])};
          neighbours_from[low(words[0])] = {ranks.begin() + low(words[1]), ranks.end()};
          break;
        }
        case PL_DEF_WIN:
          windows[low(words[0])] = {high(words[0]), low(words[1]), high(words[1]), words[2], words[3]};
          break;
        case PL_DEF_WIN_NAME:
          window_names[low(words[0])] = text_of(words.subspan(1));
          break;
        case PL_DEF_MOUNTS:
          mounts.push_back(text_of(words));
          break;
        case PL_DEF_MPI_FILE:
        case PL_DEF_VIEW:
        case PL_DEF_SWITCH:
        case PL_DEF_OPEN_FILE:
        case PL_DEF_INNER_PEER:
          break;
        case PL_DEF_CLOCK:
          ++clocks;
          break;
        case PL_DEF_RUN_DELAY:
          ++run_delays;
          break;
        default: {
          const auto& [name, layout] = functions[r.function];
          calls.push_back({name,
                           static_cast<pl_layout>(layout),
                           thread,
                           r.site,
                           r.done,
                           r.begin,
                           r.end,
                           {words.begin(), words.end()},
                           r.file_bytes,
                           r.polls == nullptr ? PollRun{} : *r.polls});
          posted.note(calls.back());
        }
      }
    });
  }
  for (Call& call : calls)
    if (call.layout == PL_LAYOUT_WAIT) posted.complete(call);
}

std::vector<Call> Content::of(const std::string& name) const {
  std::vector<Call> found;
  std::copy_if(calls.begin(), calls.end(), std::back_inserter(found), [&](const Call& c) { return c.name == name; });
  return found;
}

const Call& Content::only(const std::string& name) const {
  const auto is_it = [&](const Call& c) { return c.name == name; };
  if (std::count_if(calls.begin(), calls.end(), is_it) != 1)
    throw std::runtime_error(fmt::format("{} calls of {}", of(name).size(), name));
  return *std::find_if(calls.begin(), calls.end(), is_it);
}

std::vector<std::unique_ptr<Content>> contents(const Outcome& outcome) {
  std::vector<std::unique_ptr<Content>> found;
  for (const std::filesystem::path& path : find_spools(outcome.spools))
    found.push_back(std::make_unique<Content>(path));
  return found;
}

}  // namespace plumbline::spool::test
