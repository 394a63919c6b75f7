// Holds the archive of `tracer_bench alone` against its loops: every call, its peer, tag, size, offset and
// communicator, in order. Prints how many calls that were, and what they take in the spool. usage: tracer_check SPOOL
// ARCHIVE

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "tests/perf/tracer_loops.h"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/record/definitions/words.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline {
namespace {

using archive::Event;
using archive::EventKind;

// A call as "MPI_Sendrecv: send 0 7 8 in 0, receive 0 7 8 in 0", and the accesses inside of it.
struct Call {
  std::string region, text, inside = {};
};

std::string message(const char* what, std::uint32_t peer, std::int64_t tag, std::uint64_t bytes, std::uint32_t comm) {
  return fmt::format("{} {} tag {} bytes {} comm {}; ", what, peer, tag, bytes, comm);
}

// ---- What the loops say

std::string exchange(const bench_call& call, const std::vector<std::uint32_t>& comms) {
  const auto comm = comms.at(static_cast<std::size_t>(call.comm));
  const auto bytes = static_cast<std::uint64_t>(call.bytes);
  return message("to", 0, call.tag, bytes, comm) + message("from", 0, call.tag, bytes, comm);
}

std::string access(const bench_call& call) {
  return fmt::format("offset {} bytes {}; done {}; ", call.offset, call.bytes, call.bytes);
}

Call expected(bench_case which, long i, const std::vector<std::uint32_t>& comms) {
  const bench_call call = bench_call_of(which, i);
  switch (which) {
    case kWriteAtOnly:
      return {"MPI_File_write_at", access(call)};
    case kWriteAt:
    case kWriteAtOffsets:
      return {"MPI_File_write_at", access(call), access(call)};  // with the pwrite inside
    case kPwrite:
    case kPwriteOffsets:
      return {"pwrite", access(call)};
    case kAllreduce:
      return {"MPI_Allreduce", fmt::format("sent {} received {}; ", call.bytes, call.bytes)};
    case kAlltoallv:
      return {"MPI_Alltoallv", "sent 8 received 8; "};
    default:
      return {"MPI_Sendrecv", exchange(call, comms)};
  }
}

void expect_waits(long first, std::vector<Call>& calls) {
  for (long w = 0; w < kWaits; ++w) {
    std::string received, sent;
    for (int post = 0; post < 2; ++post)
      for (long k = 0; k < kRequests / 2; ++k) {
        const bench_call call = bench_call_of(kWaitall, first + w * (kRequests / 2) + k);
        const std::string to = message("to", 0, call.tag, static_cast<std::uint64_t>(call.bytes), 0);
        calls.push_back(post == 0 ? Call{"MPI_Irecv", fmt::format("from 0 tag {} room {}; ", call.tag, call.bytes)}
                                  : Call{"MPI_Isend", to});
        if (post == 0)
          received += message("from", 0, call.tag, static_cast<std::uint64_t>(call.bytes), 0);
        else
          sent += "sent; ";
      }
    calls.push_back({"MPI_Waitall", received + sent});
  }
}

std::vector<Call> batch(long number, const std::vector<std::uint32_t>& comms) {
  std::vector<Call> calls;
  for (int which = 0; which < kWaitall; ++which)
    for (long i = number * (kWarm + kCalls); i < (number + 1) * (kWarm + kCalls); ++i)
      calls.push_back(expected(static_cast<bench_case>(which), i, comms));
  expect_waits(number * kWaits * (kRequests / 2), calls);
  return calls;
}

// ---- What the archive says

class Check {
 public:
  explicit Check(archive::Reader& reader) : d_(reader.definitions()) {
    comms_.push_back(0);
    for (std::uint32_t i = 1; i < d_.locations.size(); ++i)
      if (archive::inside_of(d_.locations[i]) == d_.locations[0].otf2_id)
        reader.read(i, [&](const Event& event) { take_inside(event); });
    reader.read(0, [&](const Event& event) { take(event); });
    if (barriers_ != 2 || next_ != batch_.size() || batches_ != kBatches)
      throw Error("", fmt::format("the archive ends after {} of {} batches", batches_, int{kBatches}), "");
  }

  std::uint64_t calls() const { return calls_; }

 private:
  void take(const Event& event) {
    if (event.kind == EventKind::kEnter && depth_++ == 0) return begin(event);
    if (event.kind == EventKind::kLeave && --depth_ == 0) return end();
    if (event.kind == EventKind::kCommCreate) comms_.push_back(event.comm);
    if (event.kind != EventKind::kEnter && event.kind != EventKind::kLeave) call_.text += text(event);
  }

  // Accesses to files, by the call inside of which they were made.
  void take_inside(const Event& event) {
    const std::uint64_t call = event.kind == EventKind::kEnter ? attribute(event, archive::names::kCall) : kNoCall;
    if (call != kNoCall) inside_of_ = call;
    if (event.kind == EventKind::kIoOperationBegin || event.kind == EventKind::kIoOperationComplete)
      inside_[inside_of_] += text(event);
  }

  void begin(const Event& event) { call_ = {d_.strings[d_.regions[event.region].name], {}}; }

  void end() {
    const auto inside = inside_.find(outermost_++);
    if (inside != inside_.end()) call_.inside = inside->second;
    if (call_.region == "MPI_Barrier") {
      ++barriers_;
      return;
    }
    if (barriers_ != 1) return;
    if (next_ == batch_.size()) {
      batch_ = batch(batches_++, comms_);
      next_ = 0;
    }
    const Call& call = batch_[next_++];
    if (call.region != call_.region || call.text != call_.text || call.inside != call_.inside)
      throw Error("",
                  fmt::format("call {}: '{}: {}({})' in the archive, the loop made '{}: {}({})'", calls_, call_.region,
                              call_.text, call_.inside, call.region, call.text, call.inside),
                  "");
    ++calls_;
  }

  std::uint64_t attribute(const Event& event, const char* name) const {
    for (const archive::AttributeValue& value : event.attributes)
      if (d_.strings[d_.attributes[value.attribute].name] == name) return value.u64;
    return ~std::uint64_t{0};
  }

  std::string text(const Event& e) const {
    switch (e.kind) {
      case EventKind::kMpiSend:
      case EventKind::kMpiIsend:
        return message("to", e.peer, e.tag, e.bytes, e.comm);
      case EventKind::kMpiRecv:
      case EventKind::kMpiIrecv:
        return message("from", e.peer, e.tag, e.bytes, e.comm);
      case EventKind::kMpiIrecvRequest:
        return fmt::format("from {} tag {} room {}; ", attribute(e, archive::names::kPostedSource),
                           attribute(e, archive::names::kPostedTag), attribute(e, archive::names::kBufferBytes));
      case EventKind::kMpiIsendComplete:
        return "sent; ";
      case EventKind::kMpiCollectiveEnd:
        return fmt::format("sent {} received {}; ", e.bytes, e.received);
      case EventKind::kIoOperationBegin:
        return fmt::format("offset {} bytes {}; ", attribute(e, archive::names::kAbsoluteOffset), e.bytes);
      case EventKind::kIoOperationComplete:
        return fmt::format("done {}; ", e.bytes);
      default:
        return {};
    }
  }

  static constexpr std::uint64_t kNoCall = ~std::uint64_t{0};  // what attribute() says where there is none

  const archive::Definitions& d_;
  std::vector<std::uint32_t> comms_;
  std::vector<Call> batch_;
  std::size_t next_ = 0;
  Call call_;
  int depth_ = 0, barriers_ = 0;
  long batches_ = 0;
  std::uint64_t calls_ = 0, outermost_ = 0, inside_of_ = 0;
  std::unordered_map<std::uint64_t, std::string> inside_;
};

// ---- The spool

double us_per_tick(const spool::Spool& spool) {
  const pl_clock_reading &first = spool.header().first, &last = spool.header().last;
  return static_cast<double>(last.monotonic_ns - first.monotonic_ns) / static_cast<double>(last.ticks - first.ticks) /
         1e3;
}

void print_sizes(const std::filesystem::path& directory) {
  std::map<std::uint32_t, std::string> names;
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> calls;  // number, bytes
  std::vector<double> segments;                                            // microseconds that a new one took
  for (const std::filesystem::path& path : spool::find_spools(directory)) {
    const spool::Spool spool(path);
    for (std::uint32_t thread = 0; thread < spool.threads(); ++thread)
      spool.for_each(thread, [&](const spool::Record& r) {
        const record::Words words(r.payload);
        if (r.function == PL_DEF_FUNCTION) names[words.low(0)] = words.text(1);
        if (r.function == PL_DEF_CLOCK) segments.push_back(static_cast<double>(r.end - r.begin) * us_per_tick(spool));
        if (r.function >= PL_DEFINITIONS) return;
        ++calls[r.function].first;
        calls[r.function].second += r.file_bytes;
      });
  }
  std::ranges::sort(segments);
  fmt::print("  a new segment, for 21,000 records: {:.0f} us in the median\n", segments[segments.size() / 2]);
  for (const auto& [function, sums] : calls)
    if (sums.first >= kBatches)
      fmt::print("  {:<20}{:>10.2f} bytes of spool per call\n", names[function],
                 static_cast<double>(sums.second) / static_cast<double>(sums.first));
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    plumbline::archive::Reader reader(argv[2]);
    const plumbline::Check check(reader);
    fmt::print("  {} calls: peer, tag, size, offset and communicator of every one as the loops made it\n",
               check.calls());
    plumbline::print_sizes(argv[1]);
  } catch (const plumbline::Error& error) {
    fmt::print(stderr, "tracer_check: {}\n", error.what());
    return 1;
  }
  return 0;
}
