#include "halo_archive.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "tracer/archive/names.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::perf {
namespace {

namespace names = archive::names;
using archive::AttributeType;
using archive::AttributeValue;
using archive::Event;
using archive::EventKind;

enum Region : std::uint32_t { kIrecv, kIsend, kWaitall, kAllreduce };
constexpr std::uint32_t kRequests = 8;  // of an iteration

struct Attributes {
  explicit Attributes(archive::Definitions& d)
      : site(d.attribute(names::kSite, AttributeType::kString)),
        comm(d.attribute(names::kCommId, AttributeType::kUint64)),
        source(d.attribute(names::kPostedSource, AttributeType::kInt64)),
        tag(d.attribute(names::kPostedTag, AttributeType::kInt64)),
        buffer(d.attribute(names::kBufferBytes, AttributeType::kUint64)) {}
  std::uint32_t site, comm, source, tag, buffer;
};

archive::Definitions definitions_of(const Halo& halo) {
  archive::Definitions d;
  d.creator = "halo_archive";
  d.properties[names::kPropertyKind] = "observed";
  for (const char* name : {"MPI_Irecv", "MPI_Isend", "MPI_Waitall"})
    d.regions.push_back({d.strings.intern(name), archive::Role::kPointToPoint, archive::Paradigm::kMpi});
  d.regions.push_back({d.strings.intern("MPI_Allreduce"), archive::Role::kCollective, archive::Paradigm::kMpi});
  d.system_tree.push_back({d.strings.intern("cluster"), d.strings.intern("machine")});
  for (std::uint32_t rank = 0; rank < halo.ranks(); ++rank) {
    d.system_tree.push_back({d.strings.intern(fmt::format("n{}", rank)), d.strings.intern("node"), 0});
    d.location_groups.push_back(
        {d.strings.intern(fmt::format("MPI Rank {}", rank)), rank + 1, {{names::kPropertyLibrary, "MPICH 4.0.2"}}});
    d.locations.push_back({rank, d.strings.intern("Master thread"), rank, 0, rank});
  }
  archive::Comm& world = d.comms.emplace_back();
  world.name = d.strings.intern("MPI_COMM_WORLD");
  world.members.resize(halo.ranks());
  std::iota(world.members.begin(), world.members.end(), 0U);
  return d;
}

class RankEvents {
 public:
  RankEvents(archive::Writer& writer, const Attributes& attributes, archive::StringId first_site)
      : writer_(writer), attributes_(attributes), first_site_(first_site) {}

  void receive(std::uint32_t peer, std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    enter(kIrecv);
    const AttributeValue posted[] = {number(attributes_.comm, 0), number(attributes_.source, peer),
                                     number(attributes_.tag, tag), number(attributes_.buffer, bytes)};
    Event post = of(EventKind::kMpiIrecvRequest);
    post.request = request;
    post.attributes = posted;
    writer_.write(post);
    leave(kIrecv, nanoseconds(300));
  }

  void send(std::uint32_t peer, std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    enter(kIsend);
    writer_.write(message(EventKind::kMpiIsend, peer, tag, bytes, request));
    leave(kIsend, nanoseconds(300));
  }

  void begin_wait() {
    enter(kWaitall);
    now_ += microseconds(4);
  }
  void received(std::uint32_t peer, std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    writer_.write(message(EventKind::kMpiIrecv, peer, tag, bytes, request));
  }
  void sent(std::uint64_t request) {
    Event complete = of(EventKind::kMpiIsendComplete);
    complete.request = request;
    writer_.write(complete);
  }
  void end_wait() { leave(kWaitall, {}); }

  void compute(Duration duration) { now_ += duration; }

  void allreduce(std::uint64_t bytes) {
    enter(kAllreduce);
    writer_.write(of(EventKind::kMpiCollectiveBegin));
    now_ += microseconds(20);
    Event end = of(EventKind::kMpiCollectiveEnd);
    end.collective = archive::CollectiveOp::kAllreduce;
    end.comm = 0;
    end.bytes = end.received = bytes;
    writer_.write(end);
    leave(kAllreduce, {});
  }

  Time now() const { return now_; }

 private:
  static AttributeValue number(std::uint32_t attribute, std::uint64_t value) {
    AttributeValue result;
    result.attribute = attribute;
    result.u64 = value;
    return result;
  }

  Event of(EventKind kind) const {
    Event event;
    event.kind = kind;
    event.time = now_;
    return event;
  }

  Event message(EventKind kind, std::uint32_t peer, std::uint32_t tag, std::uint64_t bytes,
                std::uint64_t request) const {
    Event event = of(kind);
    event.comm = 0;
    event.peer = peer;
    event.tag = tag;
    event.bytes = bytes;
    event.request = request;
    return event;
  }

  void enter(std::uint32_t region) {
    AttributeValue site;
    site.attribute = attributes_.site;
    site.string = first_site_ + region;
    Event event = of(EventKind::kEnter);
    event.region = region;
    event.attributes = {&site, 1};
    writer_.write(event);
  }

  void leave(std::uint32_t region, Duration after) {
    now_ += after;
    Event event = of(EventKind::kLeave);
    event.region = region;
    writer_.write(event);
  }

  archive::Writer& writer_;
  const Attributes& attributes_;
  archive::StringId first_site_;
  Time now_;
};

void write_rank(RankEvents& events, const Halo& halo, std::uint32_t rank) {
  const std::array<std::uint32_t, 4> peers = halo.neighbours(rank);
  std::uint64_t request = 0;
  for (std::uint32_t i = 1; i <= halo.iterations; ++i, request += kRequests) {
    for (std::uint32_t k = 0; k < 4; ++k) events.receive(peers[k], k ^ 1U, halo.bytes, request + k);
    for (std::uint32_t k = 0; k < 4; ++k) events.send(peers[k], k, halo.bytes, request + 4 + k);
    events.begin_wait();
    for (std::uint32_t k = 0; k < 4; ++k) events.received(peers[k], k ^ 1U, halo.bytes, request + k);
    for (std::uint32_t k = 0; k < 4; ++k) events.sent(request + 4 + k);
    events.end_wait();
    events.compute(microseconds(halo.compute_us));
    if (i % halo.allreduce_every == 0) events.allreduce(8);
  }
}

}  // namespace

void write_halo_archive(const std::filesystem::path& directory, const Halo& halo) {
  archive::Definitions d = definitions_of(halo);
  const Attributes attributes(d);
  const archive::StringId first_site = d.strings.intern("exchange (halo.c:100)");
  for (const int line : {110, 120, 130}) d.strings.intern(fmt::format("exchange (halo.c:{})", line));
  archive::Writer writer(directory, Overwrite::kNo);
  writer.declare(d);
  for (std::uint32_t rank = 0; rank < halo.ranks(); ++rank) {
    writer.begin_location(rank);
    RankEvents events(writer, attributes, first_site);
    write_rank(events, halo, rank);
    writer.end_location();
    d.length = events.now() - Time{};
  }
  writer.finish(d);
}

}  // namespace plumbline::perf
