#pragma once
// One step of what an operation waited for.

#include "base/units.hpp"
#include "viewer/index/runs/operation_id.hpp"
#include "viewer/index/waits/waits.hpp"

namespace plumbline::viewer {

struct CauseStep {
  OperationId operation;  // of compute: the one behind it
  Time begin, end;
  Why why = Why::kOwnExcess;
  Duration explains;  // of the time looked into; 0 where it only leads to the next step
};

}  // namespace plumbline::viewer
