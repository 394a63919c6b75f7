#pragma once
// A campaign as its file describes it (docs/reference/campaign.md): TOML, checked against what the ranks can measure,
// with every default filled in.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/campaign/catalogue.hpp"
#include "bench/results/plan.hpp"

namespace plumbline::bench {

// How ranks are placed.
struct Layout {
  std::uint32_t nodes = 1, per_node = 1;
  std::vector<std::string> hosts = {};     // empty: this one, or what the launcher's surroundings say
  bool bind = true;                        // each rank to a core of its own, where there are enough
  std::vector<std::string> launcher = {};  // words with placeholders in braces; empty: mpirun of the flavour
  std::string where = {};                  // in the file
  bool loopback = false;                   // ranks of the node talk through the network's transport, not shared memory
  std::vector<std::string> only = {};      // operations that are measured in this layout; empty: all
  std::string threads = {};                // of kThreadLevels, that ranks ask MPI for; empty: they call MPI_Init
  std::vector<std::string> environment = {};  // "NAME=value", beside this program's
  std::string variant = {};                   // what cells of this layout are called; empty: nothing

  std::uint32_t ranks() const { return nodes * per_node; }
  bool operator==(const Layout&) const = default;
};

struct Description {
  std::string name, text;  // text: the file
  std::vector<std::string> mpis;
  std::uint32_t runs = 7;  // of each layout with each MPI: the fewest that tell two apart at 0.001
  std::uint64_t seed = 1;
  double patience_s = 0;  // without anything new from a run, before it is ended; 0: by the budgets
  std::vector<Layout> layouts;
  std::vector<Request> requests;           // each of one size or adaptive, none twice, in the order of the file
  std::vector<std::uint32_t> least_ranks;  // [requests]; a layout of fewer leaves the request out
};

// What a file need not say.
struct Surroundings {
  std::vector<std::string> mpis;  // that are installed
  std::uint32_t cores = 1;        // that this process may use
};

// Throws one Error with all faults of the file, each as "FILE:LINE:COLUMN".
Description parse_description(const std::string& text, const std::string& file, const Catalogue& catalogue,
                              const Surroundings& surroundings);

// Whether there are ranks enough, and the layout does not leave it out. `request`: its index.
bool is_measured_in(const Layout& layout, const Description& description, std::size_t request);

// Words of a command line: blanks part them, quotes of both kinds hold them together.
std::vector<std::string> words_of(const std::string& line);

}  // namespace plumbline::bench
