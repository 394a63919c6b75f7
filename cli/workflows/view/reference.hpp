#pragma once
// What the recording is held against.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/team/shared_work.hpp"
#include "cli/workflows/view/observed.hpp"
#include "cli/workflows/view/options.hpp"
#include "replay/compare/result/comparison.hpp"
#include "replay/expect/columns/columns.hpp"
#include "viewer/index/opening/opening.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::cli::view {

struct Reference {
  std::optional<replay::Expected> columns;  // none: a recording alone
  replay::ReferenceRun kind = replay::ReferenceRun::kExpected;
  std::optional<replay::Program> program = {};  // of a second observed run
  std::string name = {};
  std::filesystem::path anchor = {};    // of its archive; empty: it was worked out
  std::filesystem::path platform = {};  // file that it was, or can be, replayed on; empty: not known
  std::vector<viewer::ComponentHistory> components = {};
  std::vector<std::string> banners = {};
};

// An expected archive; another recording; without either, where a platform is given, the replay on it. Error where it
// does not belong to the recording. One that cannot be read is left out, and a banner says so.
// `workers` read it together; null: this process does.
Reference open_reference(const Options& options, const Observed& observed, const Scratch& scratch,
                         Workers* workers = nullptr);

// What was asked for, where its columns and what follows from them are kept from an earlier opening: without these.
Reference known_reference(const Options& options, const Observed& observed, const viewer::Opening& kept);

}  // namespace plumbline::cli::view
