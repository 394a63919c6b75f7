#include "tracer/record/clocks/clock_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <sstream>

#include "base/error.hpp"

namespace plumbline::record {
namespace {

constexpr char kExchangesHeading[] = "plumbline clock exchanges 1";
constexpr char kExchangesEnding[] = ".exchanges";

// 18 years; keeps differences of readings, and of these, within 64 bits.
bool plausible(std::int64_t ns) { return ns > -(std::int64_t{1} << 59) && ns < (std::int64_t{1} << 59); }

bool plausible(const clocks::Exchange& e) {
  return plausible(e.sent) && plausible(e.taken) && plausible(e.answered) && plausible(e.received) &&
         e.received >= e.sent && e.answered >= e.taken;
}

class ExchangeParser {
 public:
  ExchangeRecord record;

  // False: this line is none.
  bool take(const std::string& line) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "node")
      return static_cast<bool>(words >> record.node.boot_id >> record.node.namespace_ns >> record.node_host);
    if (kind == "reference")
      return static_cast<bool>(words >> record.reference.boot_id >> record.reference.namespace_ns >>
                               record.reference_host);
    if (kind == "burst") {
      std::uint64_t rounds = 0;
      if (!(words >> rounds)) return false;
      record.rounds += rounds;
      record.bursts.emplace_back();
      return true;
    }
    clocks::Exchange e;
    if (kind != "exchange" || record.bursts.empty() || !(words >> e.sent >> e.taken >> e.answered >> e.received))
      return false;
    if (!plausible(e)) return false;
    record.bursts.back().push_back(e);
    return true;
  }
};

}  // namespace

std::int64_t monotonic_offset(std::istream& timens_offsets) {
  for (std::string line; std::getline(timens_offsets, line);) {
    std::istringstream words(line);
    std::string clock;
    std::int64_t seconds = 0, nanoseconds = 0;
    // Kernels before 5.7 name clocks by number: 1 is CLOCK_MONOTONIC.
    if (words >> clock >> seconds >> nanoseconds && (clock == "monotonic" || clock == "1"))
      return seconds * 1'000'000'000 + nanoseconds;
  }
  return 0;
}

NodeClockName this_clock() {
  NodeClockName name;
  std::ifstream boot_id("/proc/sys/kernel/random/boot_id"), offsets("/proc/self/timens_offsets");
  std::getline(boot_id, name.boot_id);
  name.namespace_ns = monotonic_offset(offsets);
  return name;
}

ExchangeFile::ExchangeFile(const std::filesystem::path& path, const ExchangeRecord& record) {
  file_.exceptions(std::ios::badbit | std::ios::failbit);
  file_.open(path);
  file_ << kExchangesHeading << '\n'
        << fmt::format("node {} {} {}\n", record.node.boot_id, record.node.namespace_ns, record.node_host)
        << fmt::format("reference {} {} {}\n", record.reference.boot_id, record.reference.namespace_ns,
                       record.reference_host)
        << std::flush;
}

void ExchangeFile::add(const clocks::Burst& burst, std::uint64_t rounds) {
  std::string text = fmt::format("burst {}\n", rounds);
  for (const clocks::Exchange& e : burst)
    text += fmt::format("exchange {} {} {} {}\n", e.sent, e.taken, e.answered, e.received);
  file_ << text << std::flush;
}

ExchangeRecord read_exchanges(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != kExchangesHeading)
    throw Error(path.string(), "is no file of clock exchanges", "leave it out: nodes are then lined up by real time");
  ExchangeParser parser;
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    if (file.eof()) break;  // the last line has no end
    if (!parser.take(line))
      throw Error(fmt::format("{}:{}", path.string(), number), "is no line of a file of clock exchanges",
                  "leave the file out: nodes are then lined up by real time");
  }
  return parser.record;
}

std::vector<std::filesystem::path> find_exchanges(const std::filesystem::path& directory) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  std::filesystem::recursive_directory_iterator entry(directory, error), last;
  for (; !error && entry != last; entry.increment(error))
    if (entry->path().filename().string().ends_with(kExchangesEnding)) found.push_back(entry->path());
  std::ranges::sort(found);
  return found;
}

}  // namespace plumbline::record
