#pragma once
// Records what file servers do while a run goes on. Whoever runs them calls these; nothing is kept otherwise.

#include <span>
#include <string>

#include "hwmodels/storage/file_servers.hpp"
#include "hwmodels/usage/storage_record.hpp"

namespace plumbline::hw::storage {

// Before the run. With the same begin and first step as the history of the network it is sampled at the same moments.
// `servers` are those of the platform; `files` the paths of the files, by number.
void begin_record(std::span<const Server> servers, std::span<const std::string> files, Time begin, Duration first_step,
                  StorageRecord& record);

// All samples that are due up to `now`, before anything that happens then. Does nothing when none was begun.
void sample_use(const FileServers& servers, Time now, StorageRecord& record);

// At the end of the run: what is due, one more sample of how things stand, and the accesses of the devices.
void end_record(const FileServers& servers, Time end, StorageRecord& record);

}  // namespace plumbline::hw::storage
