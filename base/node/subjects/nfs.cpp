#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/mounts.hpp"
#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr const char* kMountStats = "/proc/self/mountstats";

// Of one kind of call, or of all: net/sunrpc/stats.c of the kernel, rpc_clnt_show_stats.
struct Calls {
  std::uint64_t calls = 0, sent = 0, timeouts = 0, rtt_ms = 0, execute_ms = 0;
};

// "READ: calls sent timeouts bytes_sent bytes_received queue_ms rtt_ms execute_ms [errors]"
std::optional<Calls> calls_of(const std::vector<std::string_view>& words) {
  std::array<std::uint64_t, 8> numbers{};
  if (words.size() < numbers.size() + 1) return std::nullopt;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = number_of(words[i + 1]);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  return Calls{numbers[0], numbers[1], numbers[2], numbers[6], numbers[7]};
}

void add_calls(Calls& sum, const Calls& calls) {
  sum.calls += calls.calls;
  sum.sent += calls.sent;
  sum.timeouts += calls.timeouts;
  sum.rtt_ms += calls.rtt_ms;
  sum.execute_ms += calls.execute_ms;
}

void put_calls(Source& source, const std::string& fact, const Calls& calls) {
  source.put(fact + "calls", std::to_string(calls.calls), kMountStats);
  source.put(fact + "retransmits", std::to_string(calls.sent - std::min(calls.sent, calls.calls)), kMountStats);
  source.put(fact + "timeouts", std::to_string(calls.timeouts), kMountStats);
  source.put(fact + "rtt_ms", std::to_string(calls.rtt_ms), kMountStats);
  source.put(fact + "execute_ms", std::to_string(calls.execute_ms), kMountStats);
}

// "nfs./home." of "device server:/home mounted on /home with fstype nfs4 statvers=1.1"; empty: another file system.
std::string fact_of_mount(const std::vector<std::string_view>& words) {
  if (words.size() < 8 || words[2] != "mounted" || !words[7].starts_with("nfs")) return "";
  return "nfs." + unescaped(words[4]) + ".";
}

// "READ:" -> "read_"; empty: no kind of call that is told by itself.
std::string kind_of(std::string_view label) {
  struct Kind {
    std::string_view label, prefix;
  };
  constexpr Kind kKinds[] = {{"READ:", "read_"}, {"WRITE:", "write_"},     {"COMMIT:", "commit_"},
                             {"OPEN:", "open_"}, {"LOOKUP:", "lookup_"},   {"CREATE:", "create_"},
                             {"LOCK:", "lock_"}, {"GETATTR:", "getattr_"}, {"ACCESS:", "access_"}};
  const auto found = std::ranges::find(kKinds, label, &Kind::label);
  return found == std::end(kKinds) ? "" : std::string(found->prefix);
}

}  // namespace

void read_nfs_counters(Source& source) {
  const auto text = source.text(kMountStats);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  std::string fact;
  bool in_calls = false;
  Calls all;
  const auto end_mount = [&] {
    if (in_calls) put_calls(source, fact, all);
    in_calls = false;
    all = {};
  };
  while (!rest.empty()) {
    const auto words = words_of(take_line(rest));
    if (words.empty()) continue;
    if (words[0] == "device") {
      end_mount();
      fact = fact_of_mount(words);
    } else if (words[0] == "per-op") {
      in_calls = !fact.empty();
    } else if (const auto calls = in_calls ? calls_of(words) : std::nullopt) {
      add_calls(all, *calls);
      if (const std::string kind = kind_of(words[0]); !kind.empty()) put_calls(source, fact + kind, *calls);
    }
  }
  end_mount();
}

}  // namespace plumbline::node
