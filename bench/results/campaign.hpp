#pragma once
// What a campaign measured: every repetition of every rank, and the circumstances. Nothing here is an average.
// As HDF5: bench/results/campaign_file.hpp; as the ranks write it while they measure: bench/results/stream.hpp.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/results/measurements.hpp"

namespace plumbline::bench {

// Cells of ranks that were kept from shared memory have the word "way" = "loopback": two ranks of one node talk as two
// nodes do, with no cable between them.
inline constexpr char kWay[] = "way", kLoopback[] = "loopback";

// Cells of ranks that asked MPI for a level of threads have the word "threads": the level that they were given.
inline constexpr char kThreads[] = "threads";
inline constexpr const char* kThreadLevels[] = {"single", "funneled", "serialized", "multiple"};

// Cells of a layout that has a name (docs/reference/campaign.md) have the word "variant" with it: measured with
// settings of its own.
inline constexpr char kVariant[] = "variant";

// Where one request gives several cells, as of a non-blocking collective alone and beside computing, they have the word
// "phase" with which of them it is. kPhaseOfComputing: of computing by itself, which is no operation of MPI.
inline constexpr char kPhase[] = "phase", kPhaseOfComputing[] = "compute";

// One operation of one size, measured once in one run.
struct Cell {
  std::string operation;       // of the catalogue: "bcast", "round_trip", "file_write_at_all"
  std::string implementation;  // "library", or one of ours: "binomial"
  std::uint64_t bytes = 0;     // what that is the size of, the catalogue says; 0 where there is none
  std::uint32_t run = 0;       // index in Campaign::runs: the unit of sampling
  std::uint32_t position = 0;  // of the cell in its run, in the order of measuring
  // Of MPI_COMM_WORLD, in the order of the communicator that was measured on; empty: all.
  std::vector<std::uint32_t> ranks = {};
  std::uint32_t in_flight =
      1;  // messages (accesses) of the measured kind under way at once on this machine, this one too
  // What else tells this cell from others, with units in the names: "messages", "delay_ns", "offset", "servers".
  std::map<std::string, double> numbers = {};
  std::map<std::string, std::string> words = {};  // "file": "shared", "hint.cb_nodes": "2"

  // As plumbline_settings and plumbline_measured have them (bench.h); names as in docs/models/measuring.md.
  std::string timing = {}, isolation = {}, stop = {};
  bool reached = false;                                 // the precision that was asked for
  double clock_bound_s = 0, window_s = 0, began_s = 0;  // began: behind the begin of the run
  std::vector<double> seconds = {};                     // [repetitions], by the method of timing
  std::vector<std::uint8_t> flags = {};                 // [repetitions], PLUMBLINE_* of bench.h; 0: valid
  std::vector<double> of_ranks = {};                    // [repetitions][ranks], seconds; empty where they were not kept

  bool operator==(const Cell&) const = default;
};

inline constexpr std::uint32_t kNoSocket = ~0U;  // not known, or more than one

// One start of the ranks by the launcher.
struct Run {
  std::string mpi, library;                       // flavour; what MPI_Get_library_version says, first line
  std::uint32_t nodes = 1, per_node = 1;          // as asked for
  std::vector<std::string> hosts = {};            // [ranks] as told by MPI_Get_processor_name
  std::vector<std::uint32_t> node_of = {};        // [ranks] ranks of one boot and host name are on one node
  std::vector<std::string> bindings = {};         // [ranks] CPUs it may use: "0-1,4"
  std::string created = {};                       // ISO 8601, UTC
  double load_before = 0, load_after = 0;         // load average of one minute
  double stolen = 0;                              // share of processor time that the hypervisor gave to others
  std::vector<double> involuntary_switches = {};  // [ranks]
  bool finished = false;                          // all that was asked for was measured
  std::vector<std::string> disturbances = {};     // why it is contaminated; empty: it is not
  // [ranks] boot of the machine: ranks of one may share its cores, whatever their hosts are called. Empty: not told.
  std::vector<std::string> boots = {};
  // [ranks] package that all CPUs of the binding are on, as Linux numbers it, or kNoSocket; empty: nobody looked.
  std::vector<std::uint32_t> socket_of = {};

  bool operator==(const Run&) const = default;
};

struct Campaign {
  Environment environment;
  std::string text;        // of the campaign file
  std::uint64_t seed = 0;  // of the order in each run
  std::vector<Run> runs;
  std::vector<Cell> cells;
  std::vector<std::string> notes;  // what went otherwise than planned

  bool operator==(const Campaign&) const = default;
};

}  // namespace plumbline::bench
