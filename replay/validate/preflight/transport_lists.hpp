#pragma once
// Lists of transports as Open MPI and UCX have them: "tcp,self", or behind a '^' those that are not wanted.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::replay::validate {

struct TransportList {
  bool excludes = false;
  std::vector<std::string> names;
};

TransportList parse_transports(std::string_view text);

// True where the list leaves none of `names`: it names others alone, or excludes them all. An empty list, or one that
// names "all", leaves every one. A name with a suffix ("rc_x", "sm:bootstrap") is that before the suffix.
bool leaves_out(const TransportList& list, std::span<const std::string_view> names);

bool has_shared_memory_of_ucx(std::string_view tls);
bool has_single_copy_of_ucx(std::string_view tls);
bool has_rdma_of_ucx(std::string_view tls);

}  // namespace plumbline::replay::validate
