#pragma once
// OTF2 reports through a callback of the whole process and prints by default. While an ErrorCapture lives, what OTF2
// says on this thread is kept instead, and its fatal errors come back as exceptions where that is possible.

#include <otf2/otf2.h>

#include <string>

namespace plumbline::archive {

// What to do about an archive that OTF2 cannot read.
inline constexpr char kCopyAgain[] = "the archive is damaged or incomplete: copy all of it again, or record again";

class ErrorCapture {
 public:
  ErrorCapture();
  ~ErrorCapture();
  ErrorCapture(const ErrorCapture&) = delete;
  ErrorCapture& operator=(const ErrorCapture&) = delete;

  // The first thing that OTF2 complained about since the capture began or was cleared; empty when it was content.
  std::string message() const;
  void clear();

 private:
  std::string previous_;
};

// "code name: what OTF2 said" for a failed call.
std::string explain(const ErrorCapture& capture, OTF2_ErrorCode code);

}  // namespace plumbline::archive
