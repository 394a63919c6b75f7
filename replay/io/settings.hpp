#pragma once
// Who does MPI-IO for a file, and with which settings: from hints in force, parameters of the library and the type of
// the file system.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "replay/io/ompio.hpp"
#include "replay/io/romio.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::io {

// kRomio321: the ROMIO of Open MPI 4.1. kUnknown: another library, or none was recorded.
enum class MpiIoLibrary : std::uint8_t { kUnknown, kRomio, kRomio321, kOmpio };

using HintMap = std::map<std::string, std::string, std::less<>>;

// "key=value" lines.
HintMap parse_hints(std::string_view lines);

// Of one file, as one access finds them.
struct FileSettings {
  MpiIoLibrary library = MpiIoLibrary::kUnknown;
  bool atomic = false;
  RomioHints romio;
  std::string cb_config_list = "*:1";
  std::uint32_t cb_nodes = 0;  // 0: not given
  OmpioSettings ompio;
  std::string ompio_component;  // of collective calls; empty: the library chooses
  bool alone = false;           // the hint collective_buffering sends OMPIO's ranks to the file themselves
  // Why the rules of docs/models/mpi-io.md do not say what happens to this file; empty: they do.
  std::string_view not_covered = {};
  // What nobody recorded and was assumed; empty: nothing.
  std::string_view assumed = {};
};

// Who does MPI-IO for a file with these hints in force. `asked`: "openmpi" or "mpich" instead of the recorded library,
// or empty.
MpiIoLibrary mpi_io_library(const Program& program, std::uint16_t hints, std::string_view asked);

// `asked` replace recorded hints; `library`: as `asked` of mpi_io_library().
FileSettings file_settings(const Program& program, std::uint32_t file, const IoAccess& access,
                           const std::map<std::string, std::string>& asked, std::string_view library);

// The component of fcoll for a communicator of that size.
OmpioCollective component_of(const FileSettings& settings, std::uint32_t ranks);

}  // namespace plumbline::replay::io
