#pragma once
// One start of the ranks, watched to its end.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "bench/campaign/launch.hpp"
#include "bench/campaign/run_queue.hpp"

namespace plumbline::bench {

struct Watch {
  std::filesystem::path stream, log;
  // Without news in the stream, before the run is ended; and as long as the ranks say that the request in hand may
  // take.
  double patience_s = 60;
  std::function<void(std::uint32_t)> progress;  // requests done
  std::function<bool()> is_to_stop;
  RunQueue* run_queue = nullptr;  // looked at meanwhile
};

struct Ending {
  bool interrupted = false;  // is_to_stop said so
  std::string failure;       // "ended with status 1: ..."; empty: it ended well
};

// Throws Error (kCannotRunHere) when the launcher cannot be started.
Ending watch(const Launch& launch, const Watch& how);

}  // namespace plumbline::bench
