#pragma once
// What stands behind a plumbline_chooser.

#include <list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/choose/choices.hpp"
#include "bench/choose/trial.hpp"

namespace plumbline::bench::choose {

class Chooser {
 public:
  Chooser(MPI_Comm comm, bool with_ours);
  ~Chooser();
  Chooser(const Chooser&) = delete;
  Chooser& operator=(const Chooser&) = delete;

  void add(const plumbline_candidate& candidate);  // throws Error
  // Collective; throws Error for what cannot be measured.
  void choose(plumbline_collective collective, std::span<const std::size_t> sizes, const plumbline_choosing& choosing);

  std::string text() const;
  // Throws Error where it holds for others.
  void take(const ChoicesFile& file, const std::string& name);

  std::span<const plumbline_choice> choices(plumbline_collective collective) const { return told_[collective]; }
  const char* chosen(plumbline_collective collective, std::size_t bytes) const;
  int call(const Arguments& arguments) const;

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }

  std::string problem;

 private:
  // A size from which on a candidate is called.
  struct Called {
    std::size_t bytes = 0;
    const Candidate* candidate = nullptr;
  };

  Choice choose_one(plumbline_collective collective, std::size_t bytes, const plumbline_choosing& choosing) const;
  const Candidate* find(plumbline_collective collective, std::string_view name) const;
  const Candidate& candidate_for(plumbline_collective collective, std::size_t bytes) const;
  void take(plumbline_collective collective, std::vector<Choice> choices);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  Circumstances circumstances_;
  std::list<std::string> names_;  // of the program's
  std::list<plumbline_candidate> programs_;
  std::array<std::list<Candidate>, kCollectives> candidates_;  // the library's first
  Choices choices_;
  std::array<std::vector<Called>, kCollectives> called_;          // the same, to call
  std::array<std::vector<plumbline_choice>, kCollectives> told_;  // and to tell
};

}  // namespace plumbline::bench::choose
