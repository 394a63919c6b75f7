#pragma once
// What operations lost, beside what each component of the platform did for them: the rows and columns of a regression
// of excess on use.

#include <cstdint>
#include <string>
#include <vector>

#include "base/statistics/non_negative.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::cli::validate {

// What a component may be slow in. kRate: seconds for each byte; kLatency: for each message, or each call to a file.
enum class Slowness { kRate, kLatency };

struct Exposed {
  enum class Kind { kLink, kFileSystem };
  Kind kind = Kind::kLink;
  std::uint32_t index = 0;  // into edges or file systems of the platform
  Slowness slowness = Slowness::kRate;

  auto operator<=>(const Exposed&) const = default;
};

struct Exposure {
  std::vector<double> own_s;     // by row: like operations of one rank with one partner; observed less as-run
  std::vector<Exposed> exposed;  // by column
  std::vector<statistics::SparseColumn> columns;
};

// Of the operations that are judged. A collective uses on each rank what it uses on all of them, for each waits for
// all.
Exposure exposure_of(const replay::Program& program, const replay::Expected& expected, const hw::Platform& platform);

std::string name_of(const Exposed& exposed, const hw::Platform& platform);  // "link n3-s0", "storage /scratch"

}  // namespace plumbline::cli::validate
