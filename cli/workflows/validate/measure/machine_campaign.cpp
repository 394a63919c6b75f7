#include "cli/workflows/validate/measure/machine_campaign.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.hpp"
#include "bench/rules/campaign.hpp"
#include "bench/storage/file.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;

constexpr double kBytesPerMiB = 1024.0 * 1024.0;

// What a level spends. `seconds`: of each family of point-to-point measurements, for one size; `fill`: on the files of
// all clients before their calls are timed.
struct Effort {
  unsigned runs = 3;
  double budget = 1, prtt = 5, seconds = 1, fill = 30;
  unsigned most_sizes = 80, resolution = 256;
  const char* pairs = R"([1, "1KiB", "64KiB", "1MiB"])";
  const char* streams = R"("256KiB")";
  const char* overheads = R"("1..1MiB*2")";
  const char* progress = R"(["1KiB", "1MiB"])";
  const char* order = R"(["256KiB", "1MiB"])";
  const char* queue = R"(["256KiB", "1MiB", "4MiB"])";
  const char *accesses = R"(["4KiB", "64KiB"])", *largest_access = R"("1MiB")";
};

Effort effort_of(Level level) {
  Effort effort;
  if (level == Level::kFull) return effort;
  effort.fill = 10;
  effort.queue = R"(["256KiB", "1MiB"])";
  if (level == Level::kDefault) return effort;
  effort.runs = 1;
  effort.budget = effort.seconds = 0.3;
  effort.prtt = effort.fill = 3;
  effort.most_sizes = 24;
  effort.resolution = 1024;
  effort.pairs = R"([1, "64KiB"])";
  effort.streams = R"("64KiB")";
  effort.overheads = R"("1..1MiB*4")";
  effort.progress = R"("64KiB")";
  effort.order = R"("256KiB")";
  effort.queue = R"("512KiB")";
  effort.accesses = R"(["4KiB", "32KiB"])";  // fewer than three sizes, with the largest one, make no file system
  effort.largest_access = R"("256KiB")";
  return effort;
}

std::string layout_text(const bench::Layout& all, std::uint32_t per_node) {
  std::string text = fmt::format("[[layout]]\nnodes = {}\nper_node = {}\n", all.nodes, per_node);
  if (!all.launcher.empty())
    return text + fmt::format("launcher = {}\n", bench::toml_string(words_joined(all.launcher)));
  if (all.hosts.empty() || all.nodes == 1) return text;
  std::string hosts;
  for (const std::string& host : all.hosts) hosts += (hosts.empty() ? "" : ", ") + bench::toml_string(host);
  return text + fmt::format("hosts = [{}]\n", hosts);
}

std::string layouts_text(const bench::Layout& all) {
  if (!all.launcher.empty()) return layout_text(all, all.per_node);
  if (all.nodes == 1) return layout_text(all, std::min(all.per_node, 2U));
  return layout_text(all, 1) + (all.per_node > 1 ? layout_text(all, 2) : "");
}

// MiB of each of the two files of a client, so that all are filled in the time for it, were they written by one client
// after the other.
double file_mib(const MachineCampaign& campaign, double fill_seconds) {
  constexpr double kLeast = 2, kMost = 32;
  if (campaign.write_rate <= 0) return kMost;
  const double files = 2.0 * std::max(1U, campaign.layout.nodes);
  return std::clamp(std::floor(campaign.write_rate * fill_seconds / files / kBytesPerMiB), kLeast, kMost);
}

std::string messages_text(const Effort& effort, unsigned nodes) {
  std::string text = fmt::format(
      "[[measure]]\noperation = \"prtt\"\nsizes = {{from = 1, to = \"128KiB\"}}\nseconds = {}\nmost_sizes = {}\n"
      "resolution = {}\n",
      effort.prtt, effort.most_sizes, effort.resolution);
  const auto timed = [&](std::string_view operation, std::string_view sizes) {
    text +=
        fmt::format("[[measure]]\noperation = \"{}\"\nsizes = {}\nseconds = {}\n", operation, sizes, effort.seconds);
  };
  timed("pairs", effort.pairs);
  timed("streams", effort.streams);
  timed("overheads", effort.overheads);
  timed("progress", effort.progress);
  timed("order", effort.order);
  if (nodes > 2) timed("queue", effort.queue);
  text += "[[measure]]\noperation = \"protocol\"\nsizes = \"1MiB\"\n";
  if (nodes > 1) text += "[[measure]]\noperation = \"frames\"\nsizes = 1\n";
  return text;
}

// What single servers deliver is told by the largest accesses, and files on each of them take time to be filled.
std::string storage_text(const MachineCampaign& campaign, const Effort& effort) {
  const std::string directory = bench::toml_string(campaign.directory.string());
  const double mib = file_mib(campaign, effort.fill);
  const auto calls = [&](const char* sizes, const char* servers) {
    return fmt::format(
        "[[measure]]\noperation = \"storage_calls\"\ndirectory = {}\nsizes = {}\nfile_mib = {}\nservers = \"{}\"\n",
        directory, sizes, mib, servers);
  };
  return calls(effort.accesses, "no") + calls(effort.largest_access, "yes") +
         fmt::format("[[measure]]\noperation = \"storage_metadata\"\ndirectory = {}\n", directory);
}

}  // namespace

std::string text_of(const MachineCampaign& campaign) {
  const Effort effort = effort_of(campaign.level);
  return fmt::format("[campaign]\nname = \"machine\"\nmpi = [{}]\nruns = {}\n[settings]\nbudget = \"{}s\"\n",
                     bench::toml_string(campaign.mpi), effort.runs, effort.budget) +
         layouts_text(campaign.layout) + messages_text(effort, campaign.layout.nodes) + storage_text(campaign, effort);
}

std::string servers_text(const MachineCampaign& campaign) {
  const Effort effort = effort_of(campaign.level);
  return fmt::format(
             "[campaign]\nname = \"servers\"\nmpi = [{}]\nruns = 1\n[settings]\nbudget = \"{}s\"\n"
             "[[measure]]\noperation = \"storage_calls\"\ndirectory = {}\nsizes = {}\nfile_mib = 2\n"
             "calls = \"device-write device-read\"\n",
             bench::toml_string(campaign.mpi), effort.budget, bench::toml_string(campaign.directory.string()),
             effort.largest_access) +
         layouts_text(campaign.layout);
}

double write_rate(const fs::path& directory, std::uint64_t most) {
  constexpr std::uint64_t kChunk = 1 << 20;
  const fs::path path = directory / fmt::format("plumbline-rate-{}", ::getpid());
  double rate = 0;
  try {
    const bench::StorageFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
    ::unlink(path.c_str());
    const bench::PageBuffer chunk = bench::page_buffer(kChunk);
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t at = 0; at < most; at += kChunk) file.write(chunk.get(), kChunk, at);
    file.sync();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    rate = static_cast<double>(most) / std::max(seconds, 1e-9);
  } catch (const Error&) {  // the campaign says what is wrong with the directory
    return 0;
  }
  return rate;
}

}  // namespace plumbline::cli::validate
