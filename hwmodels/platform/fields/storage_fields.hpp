#pragma once
// The description of the parts of storage (hwmodels/platform/fields/fields.hpp).

#include "hwmodels/platform/fields/fields.hpp"

namespace plumbline::hw {

template <PartOf<AccessCost> Part, class Visit>
void fields(Part& cost, Visit&& visit) {
  visit(Field{"call", "time of an access of no bytes"}, cost.call);
  visit(Field{"rate", "its bytes take as long as this rate says, in addition"}, cost.rate);
}

// The element <metadata> of a file system.
template <PartOf<FileSystem> Part, class Visit>
void fields(Part& file_system, Visit&& visit) {
  visit(Field{"open", "time of one call"}, file_system.open);
  visit(Field{"close", "the same"}, file_system.close);
  visit(Field{"sync", "the same; on the device it also waits for all accesses before it"}, file_system.sync);
}

template <PartOf<HardDisk> Part, class Visit>
void fields(Part& disk, Visit&& visit) {
  visit(Field{"average-seek", "seek to anywhere, in addition to half a turn"}, disk.average_seek);
  visit(Field{"track-to-track", "seek to less than `close` away, in addition to half a turn"}, disk.track_to_track);
  visit(Field{"turn", "time of a whole turn (7200 a minute: `8333us`)"}, disk.turn);
  visit(Field{"close", "distance below which a seek is a short one", Presence::kWritten}, disk.close);
  visit(Field{"rate", "rate of the bytes"}, disk.rate);
}

template <PartOf<Flash> Part, class Visit>
void fields(Part& flash, Visit&& visit) {
  visit(Field{"read-latency", "time that a read takes beside the others"}, flash.read_latency);
  visit(Field{"write-latency", "the same of a write"}, flash.write_latency);
  visit(Field{"read-rate", "rate of the whole device"}, flash.read_rate);
  visit(Field{"write-rate", "the same of writes"}, flash.write_rate);
  visit(Field{"channels", "how many accesses it serves at a time", Presence::kWritten}, flash.channels);
  visit(Field{"queue-depth", "how many it accepts", Presence::kWritten}, flash.queue_depth);
}

template <PartOf<SimpleDevice> Part, class Visit>
void fields(Part& device, Visit&& visit) {
  visit(Field{"latency", "time of an access of no bytes"}, device.latency);
  visit(Field{"rate", "rate of the bytes"}, device.rate);
}

template <PartOf<ServerCache> Part, class Visit>
void fields(Part& cache, Visit&& visit) {
  const bool has_pages = cache.policy == CachePolicy::kPageCache;
  visit(Field{"policy", "what stands between the network and the device ([caches](../models/server-caches.md))",
              Presence::kWritten},
        Worded{cache.policy, kCachePolicies});
  visit(Field{"memory", "for data on the way; it must hold an access and a packet", Presence::kWritten}, cache.memory);
  visit(Field{"granularity", "the largest access to the device", Presence::kWritten}, cache.granularity);
  visit(Field{"concurrent", "how many accesses the device is given at a time", Presence::kWritten}, cache.concurrent);
  visit(
      Field{"dirty-background",
            "of a page cache: how much dirty data there is when it begins to write back; without it 10 % of the memory",
            Presence::kOptional, has_pages},
      cache.dirty_background);
  visit(Field{"dirty-limit", "of a page cache: how much dirty data makes writers wait; without it 20 % of the memory",
              Presence::kOptional, has_pages},
        cache.dirty_limit);
}

template <PartOf<Server> Part, class Visit>
void fields(Part& server, Visit&& visit) {
  visit(Field{"request", "CPU time of one request for data; the server handles one after another", Presence::kOptional},
        server.request);
}

// How files are spread. Where each node has its own server there is nothing to spread.
template <PartOf<Distribution> Part, class Visit>
void fields(Part& distribution, Visit&& visit) {
  const bool spreads = !distribution.local;
  visit(Field{"stripe", "how many bytes lie on one server before the next one follows; not zero", Presence::kWritten,
              spreads, 1},
        distribution.stripe);
  visit(Field{"count", "how many servers hold each file, all without it; which one is first follows from its path",
              Presence::kOptional, spreads},
        CountOrAll{distribution.stripe_count});
  visit(Field{"placement",
              "how the first server follows from the path: `path-hash`, evenly by a hash of Plumbline's own, or "
              "`gluster-hash`, as a GlusterFS volume that is mounted at the path prefix and has its bricks in the "
              "order of `servers`",
              Presence::kOptional, spreads},
        Worded{distribution.placement, kFilePlacements});
  visit(Field{"local",
              "`yes`: a node sees only the server that runs on it, as with a disk in each node; not allowed with "
              "`count` or `metadata`",
              Presence::kOptional, false},
        Worded{distribution.local, kNoOrYes});
  visit(Field{"list-limit",
              "how many extents one request may have, any number without it; a longer list becomes several requests, "
              "one after another",
              Presence::kOptional},
        CountOrAll{distribution.list_limit});
}

// CPU times of the metadata server, which serves one call after another.
template <PartOf<Distribution> Part, class Visit>
void metadata_fields(Part& distribution, Visit&& visit) {
  visit(Field{"create", "CPU time of the metadata server for a create; it serves one call after another",
              Presence::kWritten},
        distribution.create);
  visit(Field{"lookup", "the same for an open", Presence::kWritten}, distribution.lookup);
  visit(Field{"stat", "the same for a stat", Presence::kWritten}, distribution.stat);
  visit(Field{"close", "the same for a close; without it, the metadata server is not told of a close",
              Presence::kOptional},
        distribution.close);
}

}  // namespace plumbline::hw
