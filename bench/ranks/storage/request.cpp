#include "bench/ranks/storage/request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/units.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/storage/file.hpp"
#include "bench/storage/layout.hpp"

namespace plumbline::bench {

std::string word_of(const Request& request, const std::string& name, std::string_view by_default) {
  const auto found = request.words.find(name);
  return found == request.words.end() || found->second.empty() ? std::string(by_default) : found->second;
}

double number_of(const Request& request, const std::string& name, double by_default, double least, double most) {
  const auto found = request.numbers.find(name);
  const double value = found == request.numbers.end() ? by_default : found->second;
  if (value >= least && value <= most) return value;
  throw Error(request.operation, fmt::format("{} is {:g}", name, value),
              fmt::format("give a number from {:g} to {:g}", least, most), ExitCode::kWrongUse);
}

void refuse_adaptive(const Request& request) {
  if (request.adaptive)
    throw Error(request.operation, "has no adaptive sizes", "give a list of sizes", ExitCode::kWrongUse);
}

std::uint64_t file_size(const Request& request, const std::filesystem::path& directory, double wanted_mib,
                        std::uint32_t files) {
  const double most = number_of(request, "most_mib", 1024, 1, 1e9);
  const double free = static_cast<double>(free_space(directory) / kMebi) / 4;
  const double each = std::min({wanted_mib, most / files, free / files});
  if (each < 1)
    throw Error(directory.string(),
                fmt::format("{} files of 1 MiB are more than most_mib ({:g}) or a quarter of the free space ({:g} MiB)",
                            files, most, free),
                "free some space, choose another directory or raise most_mib", ExitCode::kCannotRunHere);
  return static_cast<std::uint64_t>(each) * kMebi;
}

Cell storage_cell(const Request& request, const std::filesystem::path& directory, std::uint64_t bytes,
                  const std::string& call) {
  const StoragePlace place = describe_storage(directory);
  Cell cell;
  cell.operation = request.operation;
  cell.implementation = request.implementation;
  cell.bytes = bytes;
  cell.numbers = place.numbers;
  cell.words = place.words;
  cell.words[cells::kCall] = call;
  return cell;
}

}  // namespace plumbline::bench
