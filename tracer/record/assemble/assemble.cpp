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

void put_paths(ByteWriter& out, const Paths& paths) {
  out.put(std::uint64_t{paths.size()});
  for (const std::filesystem::path& path : paths) out.put_text(path.native());
}

Paths get_paths(ByteReader& in) {
  Paths paths;
  for (const std::string& path : in.get_texts()) paths.emplace_back(path);
  return paths;
}

std::string to_bytes(const Job& job) {
  ByteWriter out;
  put_paths(out, job.spools);
  out.put_text(job.output.native());
  out.put(job.overwrite);
  put_paths(out, job.options.exchanges);
  put_paths(out, job.options.samples);
  out.put_text(job.options.description);
  out.put(job.options.stopped_realtime_ns.has_value());
  out.put(job.options.stopped_realtime_ns.value_or(0));
  out.put(job.options.anonymize);
  return out.take();
}

Job job_of(std::string_view bytes) {
  ByteReader in(bytes);
  Job job;
  job.spools = get_paths(in);
  job.output = in.get_text();
  job.overwrite = in.get<Overwrite>();
  job.options.exchanges = get_paths(in);
  job.options.samples = get_paths(in);
  job.options.description = in.get_text();
  const bool was_stopped = in.get<bool>();
  const auto stopped = in.get<std::uint64_t>();
  if (was_stopped) job.options.stopped_realtime_ns = stopped;
  job.options.anonymize = in.get<bool>();
  return job;
}

std::string to_bytes(const AssembleSummary& summary) {
  ByteWriter out;
  for (const std::uint32_t count : {summary.ranks, summary.world_size, summary.servers, summary.idle_servers})
    out.put(count);
  for (const std::uint64_t count : {summary.operations, summary.message_bytes, summary.io_bytes, summary.in_flight})
    out.put(count);
  out.put_texts(summary.remarks);
  return out.take();
}

AssembleSummary summary_of(std::string_view bytes) {
  ByteReader in(bytes);
  AssembleSummary summary;
  for (std::uint32_t* count : {&summary.ranks, &summary.world_size, &summary.servers, &summary.idle_servers})
    *count = in.get<std::uint32_t>();
  for (std::uint64_t* count : {&summary.operations, &summary.message_bytes, &summary.io_bytes, &summary.in_flight})
    *count = in.get<std::uint64_t>();
  summary.remarks = in.get_texts();
  return summary;
}

// Process 0 makes the archive, the others write files of events into it.
archive::Writer writer_of(Processes& processes, const Job& job) {
  std::optional<archive::Writer> whole;
  if (processes.rank() == 0) whole.emplace(job.output, job.overwrite);
  const std::vector<std::string> staging = processes.exchange(whole ? whole->staging().string() : "");
  return whole ? std::move(*whole) : archive::Writer(staging[0], processes.rank());
}

// Events by location, and what they have told.
std::string to_bytes(const archive::Writer::Counts& counts, const BlockSummary& block) {
  ByteWriter out;
  out.put_text(record::to_bytes(block));
  out.put(std::uint64_t{counts.size()});
  for (const auto& [location, events] : counts) {
    out.put(location);
    out.put(events);
  }
  return out.take();
}

archive::Writer::Counts counts_of(ByteReader& in) {
  archive::Writer::Counts counts;
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const auto location = in.get<std::uint64_t>();
    counts[location] = in.get<std::uint64_t>();
  }
  return counts;
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
  const Job job = job_of(argument);
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
        processes.gather(is_first ? std::string() : to_bytes(writer.finish_part(), own));
    for (std::size_t i = 1; i < others.size(); ++i) {
      ByteReader in(others[i]);
      add(own, block_summary(in.get_text()));
      writer.add(counts_of(in));
    }
    if (is_first) assembly.finish(writer, own);
  });
  return is_first ? to_bytes(summary) : std::string();
}

}  // namespace

const SharedWork kAssemble{"archive.assemble", assemble_part};

void AssembleSummary::remark(std::string text) {
  constexpr std::size_t kShown = 50;
  if (remarks.size() < kShown) remarks.push_back(std::move(text));
}

AssembleSummary assemble(const Paths& spools, const std::filesystem::path& output, Overwrite overwrite,
                         const AssembleOptions& options, Workers& workers) {
  require_writable(output, overwrite);
  OneWorker alone;
  Workers& who = options.anonymize ? alone : workers;
  const std::string job = to_bytes(Job{spools, output, overwrite, options});
  try {
    return summary_of(who.run_telling(kAssemble, job, options.progress));
  } catch (const Error& error) {
    if (who.size() == 1 || error.code() != ExitCode::kCannotRunHere) throw;
  }
  return summary_of(alone.run_telling(kAssemble, job, options.progress));  // without the others it may be possible
}

AssembleSummary assemble(const Paths& spools, const std::filesystem::path& output, Overwrite overwrite,
                         const AssembleOptions& options) {
  OneWorker alone;
  return assemble(spools, output, overwrite, options, alone);
}

}  // namespace plumbline::record
