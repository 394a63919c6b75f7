#pragma once
// What the integration tests share: the built command, both MPIs, and the two-node platform.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::test {

inline const std::string kPlumbline = PLUMBLINE;
inline const std::string kExamples = std::string(BUILD_DIRECTORY) + "/bin/examples/";
inline const std::string kSource = SOURCE_DIRECTORY;

struct Flavour {
  std::string name;
  std::string launcher;  // command, with what it needs to run here as root and on few cores

  std::string run(int ranks, const std::string& program) const {
    return launcher + " -n " + std::to_string(ranks) + " " + program;
  }
  std::string example(const std::string& program) const { return kExamples + program + "-" + name; }
  bool installed() const { return run_command("command -v mpirun." + name).status == 0; }
};

// In place of GoogleTest's dump of bytes.
inline void PrintTo(const Flavour& flavour, std::ostream* out) { *out << flavour.name; }

inline std::vector<Flavour> flavours() {
  return {{"openmpi", "mpirun.openmpi --allow-run-as-root --oversubscribe"}, {"mpich", "mpirun.mpich"}};
}

// A platform of one node named as this host, for archives recorded here.
inline std::string one_node_platform() {
  return R"(<platform version="1" name="test node">
  <node name="here" cores="2" memory-rate="5GB/s"/>
  <inside>
    <range upto="4KiB" protocol="eager" send="100ns" receive="100ns" latency="200ns" send-rate="8GB/s" receive-rate="8GB/s"/>
    <range protocol="rendezvous" send="200ns" receive="200ns" latency="500ns" receive-rate="8GB/s"/>
  </inside>
  <filesystem name="local">
    <path prefix="/"/>
    <cached-write call="1us" rate="2GB/s"/> <cached-read call="500ns" rate="4GB/s"/>
    <device-write call="100us" rate="200MB/s"/> <device-read call="100us" rate="300MB/s"/>
    <metadata open="5us" close="1us" sync="1ms"/>
  </filesystem>
</platform>
)";
}

inline std::string text_of(const CommandResult& result) {
  return "status " + std::to_string(result.status) + "\nstdout:\n" + result.out + "\nstderr:\n" + result.err;
}

}  // namespace plumbline::test
