#pragma once
// How far an operation may be from what is expected because the numbers of the platform are only known so well.

#include <vector>

#include "hwmodels/platform/platform.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::expect {

// Relative spreads of what a call to a file uses, by kind of call.
struct FileSpreads {
  double read = 0, write = 0, open = 0, close = 0, sync = 0;
};

// Of a file system with all that its files lie on: its own costs; where it is distributed also the servers, their
// devices, the metadata server, and the network to them.
FileSpreads spreads_of(const hw::Platform& platform, const hw::FileSystem& file_system);

// Of the operations of one program on one platform.
class Spreads {
 public:
  Spreads(const replay::Program& program, const hw::Platform& platform);

  // The largest of the parameters that the operation uses, as far as the platform states it.
  double of(const replay::Operation& operation) const;

 private:
  double of_messages(Bytes size) const;
  double of_file(const replay::Operation& operation) const;

  const hw::Platform& platform_;
  std::vector<FileSpreads> files_;  // by file; of one that no file system serves: 0
};

}  // namespace plumbline::replay::expect
