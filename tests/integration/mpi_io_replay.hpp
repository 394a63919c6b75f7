#pragma once
// The same recordings the long way: assembled, compiled and replayed as configured. What the replay did to the files
// stands beside what the spools say. Nothing is told to the replay but what the archive holds.

#include "replay/engine/replay.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "tests/integration/mpi_io_inside.hpp"
#include "tests/replay/engine/support.hpp"
#include "tracer/record/assemble/assemble.hpp"

namespace plumbline::inside {

// What the archive does not tell: how the memory of a buffer is laid out, and whether a file is in atomic mode.
inline bool is_told(const Setting& setting) { return setting.memory == 0 && !setting.atomic; }

inline std::vector<Setting> told_ones(std::vector<Setting> settings) {
  std::erase_if(settings, [](const Setting& setting) { return !is_told(setting); });
  return settings;
}

// Per rank, then per access through MPI-IO.
inline std::vector<std::vector<FileOperations>> replayed(const Recorded& recorded) {
  std::vector<std::filesystem::path> spools;
  for (const auto& entry : std::filesystem::directory_iterator(recorded.outcome.spools))
    if (entry.path().extension() == ".spool") spools.push_back(entry.path());
  std::sort(spools.begin(), spools.end());
  const std::filesystem::path archive = recorded.outcome.work / "archive";
  record::assemble(spools, archive, Overwrite::kNo);
  archive::Reader reader(archive);
  replay::CompileSummary summary;
  const replay::Program program = replay::compile(reader, recorded.outcome.work / "program", summary);
  hw::Platform platform = replay::test::star(1);
  platform.file_systems[0].paths = {"/"};
  const replay::ReplayResult result =
      replay::replay(program, platform,
                     {.mode = replay::Mode::kFree, .form = replay::Form::kAsConfigured, .keep_file_operations = true});
  for (const replay::IoRemark& remark : result.io_remarks)
    ADD_FAILURE() << remark.operations << " accesses: " << remark.reason;
  std::vector<std::vector<FileOperations>> found;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    std::vector<FileOperations>& own = found.emplace_back();
    std::map<std::uint32_t, std::size_t> access_of;  // by operation
    const auto operations = program.rank(rank).operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i)
      if ((operations[i].kind == replay::OpKind::kIoRead || operations[i].kind == replay::OpKind::kIoWrite) &&
          (operations[i].flags & replay::kIoIsMpi)) {
        access_of[i] = own.size();
        own.emplace_back();
      }
    for (const replay::DoneOperation& done : result.file_operations[rank])
      if (access_of.contains(done.operation)) own[access_of[done.operation]].push_back(done.file_operation);
  }
  return found;
}

inline void compare_replay(const Library& library, const std::vector<Setting>& settings) {
  const Recorded recorded = record(library, settings);
  if (::testing::Test::HasFailure()) return;
  const auto found = replayed(recorded);
  ASSERT_EQ(found.size(), recorded.ranks.size());
  std::size_t compared = 0;
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    ASSERT_EQ(found[rank].size(), settings.size()) << "rank " << rank;
    for (std::size_t i = 0; i < settings.size(); ++i) {
      EXPECT_EQ(difference(found[rank][i], recorded.ranks[rank][i].on_file), "")
          << library.name << ", rank " << rank << ", setting " << i << ": " << settings[i].line();
      compared += recorded.ranks[rank][i].on_file.size();
    }
  }
  EXPECT_GE(compared, settings.size());
  ::testing::Test::RecordProperty("settings_" + library.name, static_cast<int>(settings.size()));
  ::testing::Test::RecordProperty("operations_" + library.name, static_cast<int>(compared));
}

}  // namespace plumbline::inside
