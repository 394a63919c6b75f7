#include "tracer/record/assemble/servers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <tuple>

namespace plumbline::record {

std::string server_name(const pl_file_header& header) {
  const std::string_view line = header.program;
  const std::string program = std::filesystem::path(line.substr(0, line.find(' '))).filename().string();
  return fmt::format("{} (pid {})", program.empty() ? "process" : program, header.pid);
}

void order_servers(std::vector<Recording>& servers) {
  std::ranges::stable_sort(servers, {}, [](const Recording& server) {
    const pl_file_header& header = server.spool->header();
    return std::tuple(std::string_view(header.host), header.first.realtime_ns, header.pid);
  });
}

bool became_another(const Recording& server, const std::vector<Recording>& recordings) {
  const pl_file_header& header = server.spool->header();
  if (header.end != PL_END_RUNNING) return false;
  return std::ranges::any_of(recordings, [&](const Recording& other) {
    const pl_file_header& later = other.spool->header();
    return other.is_server && later.pid == header.pid && std::strcmp(later.boot_id, header.boot_id) == 0 &&
           std::strcmp(later.host, header.host) == 0 && later.first.realtime_ns > header.last.realtime_ns;
  });
}

void remark_server(const spool::Spool& spool, const Tally& tally, AssembleSummary& summary) {
  const pl_file_header& header = spool.header();
  const auto say = [&](const std::string& text) { summary.remark(fmt::format("{}: {}", server_name(header), text)); };
  for (const std::string& text : spool.remarks()) say(text);
  if (header.end == PL_END_STOPPED) say(fmt::format("recording stopped: {}", header.stop_reason));
  if (!tally.unfinished.empty()) say(fmt::format("{} calls had not returned when it ended", tally.unfinished.size()));
  if (tally.short_records != 0) say(fmt::format("{} records are shorter than they should be", tally.short_records));
}

}  // namespace plumbline::record
