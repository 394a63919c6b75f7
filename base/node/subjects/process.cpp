#include <string>
#include <string_view>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

struct StatusLine {
  std::string_view label, name;
};

// Seccomp 2: a filter, which may refuse process_vm_readv. Bit 19 of CapEff: may trace others (CAP_SYS_PTRACE).
constexpr StatusLine kStatusLines[] = {{"CapEff:", "process.cap_eff"},
                                       {"NoNewPrivs:", "process.no_new_privs"},
                                       {"Seccomp:", "process.seccomp"},
                                       {"Cpus_allowed_list:", "process.cpus_allowed"},
                                       {"Mems_allowed_list:", "process.mems_allowed"},
                                       {"THP_enabled:", "process.thp_enabled"}};

}  // namespace

void read_process_settings(Source& source) {
  constexpr const char* kPath = "/proc/self/status";
  const auto text = source.text(kPath);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    std::string_view line = take_line(rest);
    const std::string_view label = take_word(line);
    for (const StatusLine& wanted : kStatusLines)
      if (label == wanted.label) source.put(std::string(wanted.name), std::string(trimmed(line)), kPath);
  }
  source.put_line("process.uid_map", "/proc/self/uid_map", [](std::string_view line) {
    std::string map;  // "0 0 4294967295": no user namespace
    for (const std::string_view word : words_of(line)) map.append(map.empty() ? "" : " ").append(word);
    return map;
  });
}

}  // namespace plumbline::node
