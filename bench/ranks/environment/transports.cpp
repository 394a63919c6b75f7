#include "bench/ranks/environment/transports.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace plumbline::bench {
namespace {

using namespace std::string_view_literals;

// Open MPI 4 calls it vader, 5 sm; smcuda is in both.
constexpr std::array kOpenMpiShared = {"vader"sv, "sm"sv, "smcuda"sv};
// sm, shm and mm are names of several at once (`ucx_info -d` has the single ones). Refused is shm, which are all of
// them: UCX warns of names that this machine does not have.
constexpr std::array kUcxShared = {"sm"sv, "shm"sv, "mm"sv, "posix"sv, "sysv"sv, "cma"sv, "knem"sv, "xpmem"sv};
constexpr std::array kUcxRefused = {"shm"sv};

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  std::istringstream text{std::string(list)};
  for (std::string name; std::getline(text, name, ',');)
    if (!name.empty()) names.push_back(name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// "all", "self" or nothing: what is left of such a list is no transport.
bool names_a_transport(const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [](const std::string& name) { return name != "self" && name != "all"; });
}

void set_without(const char* variable, std::span<const std::string_view> names,
                 std::span<const std::string_view> refused) {
  const char* const now = std::getenv(variable);
  ::setenv(variable, without(now == nullptr ? "" : now, names, refused).c_str(), 1);
}

}  // namespace

std::string without(std::string_view list, std::span<const std::string_view> names,
                    std::span<const std::string_view> refused) {
  const bool unwanted = list.starts_with('^');
  std::vector<std::string> left = names_in(unwanted ? list.substr(1) : list);
  std::erase_if(left, [&](const std::string& name) { return is_one_of(name, names); });
  if (!unwanted && names_a_transport(left)) return joined(left);
  if (!unwanted) left.clear();
  left.insert(left.end(), refused.begin(), refused.end());
  return "^" + joined(left);
}

void leave_shared_memory() {
  set_without("OMPI_MCA_btl", kOpenMpiShared, kOpenMpiShared);
  set_without("UCX_TLS", kUcxShared, kUcxRefused);  // Open MPI's pml ucx, MPICH's ch4:ucx
  ::setenv("MPIR_CVAR_NOLOCAL", "1", 1);            // MPICH: every rank is on a node of its own
}

}  // namespace plumbline::bench
