#include "replay/validate/preflight/transport_lists.hpp"

#include <algorithm>

namespace plumbline::replay::validate {
namespace {

bool names_any(const TransportList& list, std::span<const std::string_view> names) {
  return std::ranges::any_of(list.names, [&](const std::string& name) {
    const std::string_view plain = std::string_view(name).substr(0, name.find(':'));
    return std::ranges::find(names, plain) != names.end();
  });
}

bool has_group(std::string_view tls, std::span<const std::string_view> groups,
               std::span<const std::string_view> single) {
  const TransportList list = parse_transports(tls);
  if (!list.excludes) return list.names.empty() || names_any(list, groups) || names_any(list, single);
  return !names_any(list, groups) && !leaves_out(list, single);
}

}  // namespace

TransportList parse_transports(std::string_view text) {
  TransportList list;
  list.excludes = text.starts_with('^');
  if (list.excludes) text.remove_prefix(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    std::string name(text.substr(0, end));
    std::erase(name, ' ');
    if (!name.empty()) list.names.push_back(std::move(name));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

bool leaves_out(const TransportList& list, std::span<const std::string_view> names) {
  constexpr std::string_view kAll[] = {"all"};
  if (list.names.empty()) return false;
  if (!list.excludes) return !names_any(list, names) && !names_any(list, kAll);
  return std::ranges::all_of(names, [&](const std::string_view& name) { return names_any(list, {&name, 1}); });
}

// `ucx_info -d`, and UCX_TLS in its documentation: sm, shm and mm stand for several. Single ones of a machine may not
// all be there: posix and sysv always are.
bool has_shared_memory_of_ucx(std::string_view tls) {
  constexpr std::string_view kGroups[] = {"all", "sm", "shm", "mm"}, kSingle[] = {"posix", "sysv"};
  constexpr std::string_view kXpmem[] = {"xpmem"};
  const TransportList list = parse_transports(tls);
  return has_group(tls, kGroups, kSingle) || (!list.excludes && names_any(list, kXpmem));
}

bool has_single_copy_of_ucx(std::string_view tls) {
  constexpr std::string_view kGroups[] = {"all", "sm", "shm"}, kSingle[] = {"cma"}, kOthers[] = {"knem", "xpmem"};
  const TransportList list = parse_transports(tls);
  return has_group(tls, kGroups, kSingle) || (!list.excludes && names_any(list, kOthers));
}

bool has_rdma_of_ucx(std::string_view tls) {
  constexpr std::string_view kGroups[] = {"all", "ib"};
  constexpr std::string_view kSingle[] = {"rc",   "ud",       "dc",       "rc_v",    "rc_x",    "ud_v",   "ud_x",
                                          "dc_x", "rc_verbs", "ud_verbs", "rc_mlx5", "ud_mlx5", "dc_mlx5"};
  constexpr std::string_view kShort[] = {"rc", "ud", "dc"};
  const TransportList list = parse_transports(tls);
  return list.excludes ? has_group(tls, kGroups, kShort) : has_group(tls, kGroups, kSingle);
}

}  // namespace plumbline::replay::validate
