#pragma once
// Work shared among forked processes of one machine.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/team/shared_work.hpp"

namespace plumbline {

// Forks the others for each piece of work. They see everything as it was when the work began, and end with it, or with
// this process. Process 0 is the caller; where it has several threads it does all the work. Throws Error
// (kCannotRunHere) where a process cannot be started, and where one is killed.
class ForkedWorkers final : public Workers {
 public:
  explicit ForkedWorkers(std::uint32_t size) : size_(size < 1 ? 1 : size) {}

  std::uint32_t size() const override { return size_; }
  bool are_forked() const override { return true; }
  std::string run(const SharedWork& work, std::string_view argument) override;
  std::string run_among(std::uint32_t most, const SharedWork& work, std::string_view argument) override;

 private:
  std::uint32_t size_;
};

}  // namespace plumbline
