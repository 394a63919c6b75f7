#pragma once
// What of the storage of a platform can be set by name (hwmodels/platform/settings/settings.hpp).

#include <span>

#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/settings/adjustable_parameters.hpp"

namespace plumbline::hw {

// "filesystem.NAME.…"; `servers` are those of its platform, which a distribution names.
void add_file_system(FileSystem& file_system, std::span<const Server> servers, AdjustableParameters& parameters);

// "server.NAME.…"; `nodes` are those of its platform.
void add_server(Server& server, std::span<const Node> nodes, AdjustableParameters& parameters);

}  // namespace plumbline::hw
