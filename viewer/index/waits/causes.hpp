#pragma once
// What an operation waited for, back to the operation, or the computation, that is late by itself.
//
// An operation that inherited a delay waited for another rank's operation. Between the last time that the two ranks had
// to do with each other and that operation, the other rank lost time: in operations that took longer than expected by
// themselves (own excess), in others that waited in turn (inherited), and between operations (compute). These are what
// delayed it (the delay analysis of Boehme, Geimer, Wolf and Arnold, ICPP 2010), largest first; what they inherited is
// followed further back.
//
// Without an expectation, where nothing was inherited, and where none of it is explained so, the time waited is
// explained instead: by what the other rank did meanwhile.

#include <string>
#include <vector>

#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"
#include "viewer/index/waits/cause_step.hpp"

namespace plumbline::viewer {

struct Causes {
  Duration own, inherited;       // of the operation
  Duration waited;               // what is looked into: inherited; else the time until the last of the others began
  Duration explained;            // the sum of the steps, at most `waited`
  bool by_time = false;          // the time waited is explained, not an excess
  std::vector<CauseStep> steps;  // from the operation backwards
  std::string sentence;
};

Causes causes_of(const Runs& runs, const Matches& matches, OperationId id);

}  // namespace plumbline::viewer
