#include "bench/quick/quick.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "bench/environment.hpp"
#include "bench/quick/memory.hpp"
#include "bench/quick/messages.hpp"
#include "bench/quick/storage.hpp"

namespace plumbline::bench {
namespace {

// Shares of the time.
constexpr double kMessages = 0.55, kMemory = 0.07, kStorage = 0.38;

}  // namespace

Measurements run_quick(const QuickOptions& options) {
  const auto part = [&](double from, double share, const char* what) {
    return [&options, from, share, what](double done) {
      if (options.progress) options.progress(from + share * done, what);
    };
  };
  const MpiFlavour flavour = choose_flavour(options);
  Measurements result;
  result.environment = describe_environment(options.directory);
  const ProcessorTime before = processor_time();
  if (result.environment.cores < 2)
    result.notes.push_back("one core only: the two ranks take turns, times of messages are times of the scheduler");
  measure_messages(flavour, kMessages * options.seconds, part(0, kMessages, "messages"), result);
  part(kMessages, kMemory, "memory")(0);
  measure_memory(kMemory * options.seconds, result);
  measure_storage(options.directory, kStorage * options.seconds, part(kMessages + kMemory, kStorage, "storage"),
                  result);
  const ProcessorTime after = processor_time();
  if (after.all > before.all) result.environment.stolen = (after.stolen - before.stolen) / (after.all - before.all);
  result.environment.load_after = load_average();
  return result;
}

}  // namespace plumbline::bench
