#pragma once
// Makes a pyramid in memory, and adds what-if runs to it.

#include <vector>

#include "base/memory/scratch.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Of the observed run, and where there is one of the reference run, in memory. index_file.hpp keeps it on disk.
Pyramid make_pyramid(const Runs& runs, const Scratch& scratch = {}, const PyramidOptions& options = {});

// A what-if run, n from 1 to 254: the times of the same operations, by rank. One of the same number is replaced. Error
// where they are not of the same operations.
void add_whatif(Pyramid& pyramid, const Runs& runs, unsigned n, std::vector<Column<replay::OperationTimes>> times,
                const Scratch& scratch = {});
void remove_whatif(Pyramid& pyramid, unsigned n);

}  // namespace plumbline::viewer
