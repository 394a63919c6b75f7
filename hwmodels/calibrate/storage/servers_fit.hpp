#pragma once
// Cells with servers by name -> what one of them delivers, and what the metadata server takes for each request.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hwmodels/calibrate/observations/storage_select.hpp"

namespace plumbline::hw::calibration {

struct ServerRates {
  std::string name;
  double write = 0, read = 0;  // B/s of all clients together; 0: not measured
};

struct ServersFit {
  std::vector<ServerRates> servers;
  double write = 0, read = 0;  // the median of the servers; of two that are far apart the faster one
  double write_spread = 0, read_spread = 0;
  std::size_t samples = 0;
  // How many times what one delivers, all of them together do. As many as there are: they are what limits; one: what
  // is common to them does, or the clients.
  double scaling = 0;  // 0: there is one server, or they were not measured together
};
// Cells of device-write and device-read, of each server those of its largest accesses.
ServersFit fit_servers(const Cells& cells);

// A call on names by 1, 2, 4 ... clients at once: the slowest waits for all others at the server, so that the time
// grows by what the server takes for each.
struct MetadataFit {
  double alone_s = 0;   // what a client alone waits beside the server's work
  double server_s = 0;  // the server's work; 0 with one number of clients: not told
  double spread = 0;
  std::size_t samples = 0;
};
std::optional<MetadataFit> fit_metadata(const Cells& cells);

}  // namespace plumbline::hw::calibration
