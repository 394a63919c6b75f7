#include "cli/workflows/assemble_spools.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/progress.hpp"
#include "replay/compare/wording.hpp"
#include "tracer/record/assemble.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::cli {

void assemble_spools(const std::filesystem::path& directory, const std::filesystem::path& archive, Overwrite overwrite,
                     Names names) {
  Progress progress("assembling", 100);
  record::AssembleOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.update(total == 0 ? 0 : done * 100 / total);
  };
  options.anonymize = names == Names::kPseudonyms;
  const record::AssembleSummary summary = record::assemble(spool::find_spools(directory), archive, overwrite, options);
  for (const std::string& remark : summary.remarks) fmt::print(stderr, "plumbline: {}\n", remark);
  fmt::print(stderr, "plumbline: {}, {} -> {}\n", replay::plural(summary.ranks, "rank"),
             replay::plural(summary.operations, "operation"), archive.string());
}

}  // namespace plumbline::cli
