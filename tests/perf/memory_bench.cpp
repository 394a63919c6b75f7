// What `plumbline replay`, with and without -o, and `plumbline compare` take of memory for each operation beside mapped
// files, on the workload halo2d with many short ranks and with few long ones.
//
// usage: memory_bench PLUMBLINE PLATFORM [OPERATIONS]     default 1000000; the platform has nodes n0 .. n255

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "halo_archive.hpp"
#include "tests/support/anonymous_memory.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace plumbline;

void print(const std::string& name, const std::vector<std::string>& command, double operations) {
  const test::MemoryOfCommand memory = test::memory_of(command);
  fmt::print("  {:<36} {:8.1f} MiB, {:6.1f} B an operation (status {})\n", name,
             static_cast<double>(memory.anonymous) / (1 << 20), static_cast<double>(memory.anonymous) / operations,
             memory.status);
  std::fflush(stdout);
}

void measure(const std::string& plumbline, const std::string& platform, perf::Halo halo, double operations) {
  halo.iterations = static_cast<std::uint32_t>(operations / (9.1 * halo.ranks()));
  const test::TemporaryDirectory directory;
  const std::string observed = directory / "observed", expected = directory / "expected";
  perf::write_halo_archive(observed, halo);
  fmt::print("{} ranks, {:.0f} operations; anonymous memory at most:\n", halo.ranks(), operations);
  print("replay, compiling it first", {plumbline, "replay", observed, "-p", platform}, operations);
  print("replay", {plumbline, "replay", observed, "-p", platform}, operations);
  print("replay -o", {plumbline, "replay", observed, "-p", platform, "-o", expected}, operations);
  print("compare, with the expected archive", {plumbline, "compare", observed, expected}, operations);
  print("compare, with a recording", {plumbline, "compare", observed, observed}, operations);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: memory_bench PLUMBLINE PLATFORM [OPERATIONS]\n");
    return 2;
  }
  const double operations = argc > 3 ? std::strtod(argv[3], nullptr) : 1e6;
  try {
    perf::Halo halo;
    measure(argv[1], argv[2], halo, operations);
    halo.px = halo.py = 2;
    measure(argv[1], argv[2], halo, operations);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return EXIT_SUCCESS;
}
