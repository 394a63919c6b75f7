#pragma once
// A recorded run folded into a model: `plumbline predict --from`.

#include <filesystem>
#include <string>

#include "base/team/shared_work.hpp"
#include "replay/model/fold/fold.hpp"

namespace plumbline::cli::predict {

struct Recording {
  replay::model::FoldedModel model;
  std::string source;                // how the model is named: "obs.pevpm"
  std::uint32_t per_node = 1;        // most ranks on one node of the recording
  bool fills_nodes_in_order = true;  // so many on each node, one after the other, as a prediction has them
};

// Of an archive or a program file. Throws Error.
Recording fold_recording(const std::filesystem::path& recording, Workers* workers = nullptr);

// What was folded, and what was not: `details` has every line of it.
std::string fold_text(const Recording& recording, bool details);

}  // namespace plumbline::cli::predict
