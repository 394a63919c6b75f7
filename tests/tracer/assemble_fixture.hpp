#pragma once
// What the tests of assembling share: spools in, events in few words out.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/tracer/archive_support.hpp"
#include "tests/tracer/spool_builder.hpp"
#include "tracer/record/assemble/assemble.hpp"
#include "tracer/record/assemble/options.hpp"
#include "tracer/record/assemble/summary.hpp"

namespace plumbline::record::test {

// Flags of a completion: of a send, or of what else carries no status.
inline constexpr std::uint64_t kSent = PL_COMPLETED | PL_COMPLETED_SEND;

// One event in few words, times in ns: "enter MPI_Send @1000", "send 1:7 64B".
std::string brief(const archive::test::OwnedEvent& event, const archive::Definitions& definitions);

// To the byte, and of the same files.
void expect_equal_archives(const std::filesystem::path& one, const std::filesystem::path& other);

// Several processes make the same archive, to the byte, and say the same of it.
void expect_the_same_of_several(const std::vector<std::filesystem::path>& spools, const std::filesystem::path& archive,
                                const AssembleSummary& summary, const AssembleOptions& options,
                                std::uint32_t processes);

// Assembles spools, by one process and by several, and reads the archive.
class Assemble : public testing::Test {
 protected:
  AssembleSummary run(const std::vector<SpoolBuilder>& spools, const AssembleOptions& options = {},
                      const std::vector<std::uint32_t>& shared_by = {2}) {
    std::vector<std::filesystem::path> paths;
    for (const SpoolBuilder& spool : spools) paths.push_back(spool.write(directory_.path()));
    AssembleSummary summary = assemble(paths, directory_.path() / "obs", Overwrite::kYes, options);
    for (const std::uint32_t processes : shared_by)
      expect_the_same_of_several(paths, directory_.path() / "obs", summary, options, processes);
    reader_ = std::make_unique<archive::Reader>(directory_.path() / "obs");
    return summary;
  }

  std::vector<std::string> events(std::uint32_t location) {
    std::vector<std::string> lines;
    for (const archive::test::OwnedEvent& event : archive::test::read_all(*reader_, location))
      lines.push_back(brief(event, reader_->definitions()));
    return lines;
  }

  // Without the enters and leaves.
  std::vector<std::string> inner_events(std::uint32_t location) {
    std::vector<std::string> lines = events(location);
    std::erase_if(lines,
                  [](const std::string& line) { return line.starts_with("enter") || line.starts_with("leave"); });
    return lines;
  }

  const archive::Definitions& definitions() const { return reader_->definitions(); }

  plumbline::test::TemporaryDirectory directory_;
  std::unique_ptr<archive::Reader> reader_;
};

}  // namespace plumbline::record::test
