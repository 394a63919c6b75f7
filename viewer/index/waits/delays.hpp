#pragma once
// What a rank lost time with before an operation for which another rank waited.

#include <vector>

#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"
#include "viewer/index/waits/cause_step.hpp"
#include "viewer/index/waits/waits.hpp"

namespace plumbline::viewer {

struct Delay {
  Duration length;            // > 0
  bool is_inherited = false;  // of the step's operation; else the step tells why
  CauseStep step;             // explains nothing yet
};

class Delays {
 public:
  // Both must outlive it.
  Delays(const Runs& runs, const Matches& matches)
      : runs_(runs), matches_(matches), waits_(runs, matches, TimesOf::kObserved) {}

  // Excesses of the rank of `on` between its last contact with the rank of `waiting` and `on`, greatest first. Contact:
  // a message for which one of the two waited, or a collective call that both take part in. What it lost by itself in
  // that contact counts, of a collective call as far as it left it later than the other one.
  std::vector<Delay> since_last_contact(OperationId waiting, OperationId on) const;
  // What it did from the begin of `waiting` to the begin of `on`, longest first.
  std::vector<Delay> meanwhile(OperationId waiting, OperationId on) const;

 private:
  // A communicator, and whether a rank belongs to it.
  struct Membership {
    std::uint32_t comm = replay::kNone;
    bool is_member = false;
  };
  bool is_contact(OperationId id, std::uint32_t with, Membership& known) const;
  bool is_awaited_by(OperationId send, std::uint32_t with) const;
  void add_own(std::vector<Delay>& delays, OperationId id, Duration own) const;
  void add_excess(std::vector<Delay>& delays, OperationId id) const;
  void add_contact(std::vector<Delay>& delays, OperationId id, std::uint32_t with) const;
  void add_compute_excess(std::vector<Delay>& delays, OperationId behind) const;
  void add_time(std::vector<Delay>& delays, OperationId id, Time from) const;

  const Runs& runs_;
  const Matches& matches_;
  Waits waits_;
};

}  // namespace plumbline::viewer
