#pragma once
// One mount point of a campaign -> what the platform has of it. The parts of cells.cpp.

#include <string>
#include <string_view>
#include <vector>

#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/fit/line.hpp"
#include "hwmodels/calibrate/observations/storage_select.hpp"

namespace plumbline::hw::calibration {

struct MountCells {
  std::string mount;
  const std::string& source;
  Calibration& into;
  Cells calls, seeks, cache, metadata;
};

void note(const MountCells& of, const std::string& text);

// The name, with a number where a server has it already.
std::string free_server_name(const Platform& platform, const std::string& wanted);

// The last of them gets a number behind its name where one before it has that name.
void number_last_name(std::vector<FileSystem>& file_systems);

// The bracket, as calibrate --quick has it from its own measurements, from what one client alone saw. False, with a
// note, when something of it is missing.
bool add_bracket(const MountCells& of);

// What calls of one client alone took, in ns by size; `call` is one of those of add_bracket().
std::vector<Point> times_alone(const MountCells& of, std::string_view call);

// Servers that the file system names. False when it names none.
bool add_servers(const MountCells& of, FileSystem& file_system);

// A device that each node has for itself, and the page cache before it.
void add_local_device(const MountCells& of, FileSystem& file_system);

// With servers, the costs are the client's part alone, and the devices are theirs; the exclusive part of writes is of
// the bracket.
inline void leave_devices(FileSystem& file_system) {
  file_system.device_write = file_system.device_read = {};
  file_system.exclusive_write.reset();
}

}  // namespace plumbline::hw::calibration
