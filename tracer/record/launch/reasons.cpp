#include "tracer/record/launch/reasons.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "tracer/record/host_name.hpp"
#include "tracer/spool/format/out_of_reach.h"

namespace plumbline::record {
namespace {

// HOST.PID.4.reason
pl_reason rank_of(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  const char digit = stem.empty() ? '0' : stem.back();
  return digit >= '1' && digit <= '5' ? static_cast<pl_reason>(digit - '0') : PL_REASON_NO_MPI;
}

void add_reasons(const std::filesystem::path& directory, std::vector<Reason>& reasons) {
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(directory, gone)) {
    if (!is_reason(entry.path())) continue;
    std::string text;
    std::ifstream file(entry.path());
    std::getline(file, text);
    const auto same = [&](const Reason& other) { return other.text == text; };
    if (!text.empty() && std::ranges::none_of(reasons, same)) reasons.push_back({rank_of(entry.path()), text});
  }
}

}  // namespace

bool is_reason(const std::filesystem::path& file) { return file.extension() == PL_REASON_SUFFIX; }

std::vector<Reason> find_reasons(const std::vector<std::filesystem::path>& directories) {
  std::vector<Reason> reasons;
  for (const std::filesystem::path& directory : directories) add_reasons(directory, reasons);
  std::ranges::sort(
      reasons, [](const Reason& a, const Reason& b) { return a.rank != b.rank ? a.rank > b.rank : a.text < b.text; });
  return reasons;
}

std::string reasons_text(const std::vector<Reason>& reasons) {
  constexpr std::size_t kMost = 3;
  std::string text;
  std::size_t count = 0;
  for (const Reason& reason : reasons) {
    if (reason.rank != reasons.front().rank) break;
    if (++count <= kMost) text += (text.empty() ? "" : "; ") + reason.text;
  }
  return count > kMost ? fmt::format("{}; and {} more", text, count - kMost) : text;
}

void note_reason(const std::filesystem::path& directory, pl_reason rank, const std::string& text) {
  const std::string name = fmt::format("{}.{}.{}{}", host_name(), getpid(), static_cast<int>(rank), PL_REASON_SUFFIX);
  std::ofstream(directory / name) << text << '\n';
}

void note_if_out_of_reach(const std::filesystem::path& directory, const std::filesystem::path& program) {
  const int fd = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (const char* why = pl_why_out_of_reach(fd))
    note_reason(directory, PL_REASON_OUT_OF_REACH, fmt::format("{}: {}", program.string(), why));
  close(fd);
}

void remove_reasons(const std::filesystem::path& directory) {
  std::error_code gone;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(directory, gone))
    if (is_reason(entry.path())) found.push_back(entry.path());
  for (const std::filesystem::path& file : found) std::filesystem::remove(file, gone);
}

}  // namespace plumbline::record
