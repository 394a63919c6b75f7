#include "tracer/record/assemble/assemble.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/team/bytes.hpp"
#include "base/team/failure.hpp"
#include "tracer/archive/write/writer.hpp"
#include "tracer/record/assemble/assembly.hpp"
#include "tracer/record/assemble/recordings.hpp"

namespace plumbline::record {
namespace {

using Paths = std::vector<std::filesystem::path>;

struct Job {
  Paths spools;
  std::filesystem::path output;
  Overwrite overwrite = Overwrite::kNo;
  AssembleOptions options;
};

template <class Io>
void fields(Io& io, Job& job) {
  AssembleOptions& options = job.options;
  io(job.spools, job.output, job.overwrite, options.exchanges, options.samples, options.description,
     options.stopped_realtime_ns, options.anonymize);
}

// What a process has written.
struct Part {
  archive::Writer::Counts counts;
  BlockSummary block;
};

template <class Io>
void fields(Io& io, Part& part) {
  io(part.counts, part.block);
}

// Process 0 makes the archive, the others write files of events into it.
archive::Writer writer_of(Processes& processes, const Job& job) {
  std::optional<archive::Writer> whole;
  if (processes.rank() == 0) whole.emplace(job.output, job.overwrite);
  const std::vector<std::string> staging = processes.exchange(whole ? whole->staging().string() : "");
  return whole ? std::move(*whole) : archive::Writer(staging[0], processes.rank());
}

void add(BlockSummary& all, const BlockSummary& block) {
  all.counts.operations += block.counts.operations;
  all.counts.message_bytes += block.counts.message_bytes;
  all.counts.io_bytes += block.counts.io_bytes;
  all.counts.in_flight += block.counts.in_flight;
  for (const std::string& remark : block.counts.remarks) all.counts.remark(remark);
  all.insides.insert(block.insides.begin(), block.insides.end());
  all.end = std::max(all.end, block.end);
}

// What they have defined must be the same, or their numbers mean something else. It may differ where spools or samples
// are written meanwhile, or are not the same on all nodes.
void require_the_same(Processes& processes, const Assembly& assembly) {
  const std::vector<std::string> all = processes.exchange(assembly.digest());
  if (std::ranges::count(all, all[0]) == static_cast<std::ptrdiff_t>(all.size())) return;
  throw Error("", "the processes that share the assembly do not see the same spools",
              "wait until the run has ended, and give a directory that all nodes see", ExitCode::kCannotRunHere);
}

// While a writer is there, so that nobody writes any more when it goes.
template <class Work>
void tell_if_it_fails(Processes& processes, Work work) try {
  work();
} catch (...) {
  if (processes.size() > 1 && !processes.has_ended()) processes.tell_failure(failure_now());
  throw;
}

std::string assemble_part(Processes& processes, std::string_view argument) {
  const auto job = from_bytes<Job>(argument);
  AssembleSummary summary;
  Assembly assembly(open_recordings(job.spools, summary), summary, job.options);
  assembly.gather(processes);
  assembly.define();
  if (processes.size() > 1) {
    require_the_same(processes, assembly);
    assembly.follow(processes.exchange(assembly.own_definitions()));
    require_the_same(processes, assembly);
  }

  archive::Writer writer = writer_of(processes, job);
  BlockSummary own;
  const bool is_first = processes.rank() == 0;
  tell_if_it_fails(processes, [&] {
    assembly.write(writer, own, [&](double share) { processes.tell(share); });
    const std::vector<std::string> others =
        processes.gather(is_first ? std::string() : to_bytes(Part{writer.finish_part(), own}));
    for (std::size_t i = 1; i < others.size(); ++i) {
      const auto part = from_bytes<Part>(others[i]);
      add(own, part.block);
      writer.add(part.counts);
    }
    if (is_first) assembly.finish(writer, own);
  });
  return is_first ? to_bytes(summary) : std::string();
}

}  // namespace

const SharedWork kAssemble{"archive.assemble", assemble_part};

AssembleSummary assemble(const Paths& spools, const std::filesystem::path& output, Overwrite overwrite,
                         const AssembleOptions& options, Workers& workers) {
  require_writable(output, overwrite);
  OneWorker alone;
  Workers& who = options.anonymize ? alone : workers;
  const std::string job = to_bytes(Job{spools, output, overwrite, options});
  try {
    return from_bytes<AssembleSummary>(who.run_telling(kAssemble, job, options.progress));
  } catch (const Error& error) {
    if (who.size() == 1 || error.code() != ExitCode::kCannotRunHere) throw;
  }
  return from_bytes<AssembleSummary>(
      alone.run_telling(kAssemble, job, options.progress));  // without the others it may be possible
}

AssembleSummary assemble(const Paths& spools, const std::filesystem::path& output, Overwrite overwrite,
                         const AssembleOptions& options) {
  OneWorker alone;
  return assemble(spools, output, overwrite, options, alone);
}

}  // namespace plumbline::record
