#include "base/team/processes.hpp"

#include <algorithm>

#include "base/team/failure.hpp"

namespace plumbline {
namespace {

constexpr char kWorks = 'w', kFailed = 'f';

}  // namespace

std::vector<std::string> Processes::exchange(std::string_view own) { return exchange_marked(kWorks, own); }

std::vector<std::string> Processes::gather(std::string_view own) {
  exchange({});  // what is gathered goes to one, and all have to know who failed
  try {
    return gather_bytes(own);
  } catch (...) {
    has_ended_ = true;
    throw;
  }
}

bool Processes::is_so_for_all(bool own) {
  constexpr std::string_view kYes = "y", kNo = "n";
  const std::vector<std::string> told = exchange(own ? kYes : kNo);
  return std::ranges::find(told, kNo) == told.end();
}

void Processes::tell_failure(std::string_view failure) { exchange_marked(kFailed, failure); }

std::vector<std::string> Processes::exchange_marked(char mark, std::string_view own) {
  const std::string marked = std::string(1, mark).append(own);
  std::vector<std::string> all;
  try {
    all = exchange_bytes(marked);
  } catch (...) {
    has_ended_ = true;
    throw;
  }
  const auto failed = std::ranges::find_if(all, [](const std::string& bytes) { return bytes[0] == kFailed; });
  has_ended_ = failed != all.end();
  if (has_ended_) throw_failure(std::string_view(*failed).substr(1));
  for (std::string& bytes : all) bytes.erase(0, 1);
  return all;
}

}  // namespace plumbline
