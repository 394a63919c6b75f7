#pragma once
// How far a long job is, told to the program that has started it.

namespace plumbline::cli {

// Lines "progress DONE TOTAL" on a file descriptor. A process that tells its progress so works for its parent alone:
// where that ends, it ends too.
class ProgressPipe {
 public:
  // Error where it is no descriptor that can be written to. -1: nobody is told.
  explicit ProgressPipe(int descriptor);

  // 0 to 1; what is less than a thousandth further than the last one is not told.
  void tell(double share);

 private:
  int descriptor_;
  int told_ = -1;  // thousandths
};

}  // namespace plumbline::cli
