#include "cli/file_kind.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "base/error.hpp"
#include "bench/results/campaign_file.hpp"

namespace plumbline::cli {

FileKind kind_of(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path))
    throw Error(path.string(), "there is no such file or directory", "check the name");
  if (std::filesystem::is_directory(path) || path.extension() == ".otf2") return FileKind::kArchive;
  if (!std::filesystem::is_regular_file(path))
    throw Error(path.string(), "is a device, a pipe or a socket", "name a file or a directory");
  std::string head(256, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  if (head.starts_with("PLUMBPRG")) return FileKind::kProgram;
  if (head.starts_with("\x89HDF")) return bench::is_campaign(path) ? FileKind::kCampaign : FileKind::kMeasurements;
  const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first != std::string::npos && head[first] == '<') return FileKind::kPlatform;
  return FileKind::kUnknown;
}

std::string_view name_of(FileKind kind) {
  switch (kind) {
    case FileKind::kArchive:
      return "an OTF2 archive";
    case FileKind::kProgram:
      return "a compiled program";
    case FileKind::kPlatform:
      return "a platform file";
    case FileKind::kMeasurements:
      return "a measurement file";
    case FileKind::kCampaign:
      return "the result of a campaign";
    case FileKind::kUnknown:
      return "none of Plumbline's files";
  }
  return "";
}

void require_archive_or_program(const std::filesystem::path& path) {
  if (kind_of(path) != FileKind::kProgram) require_archive(path);
}

void require_archive(const std::filesystem::path& path) {
  const FileKind kind = kind_of(path);
  if (kind == FileKind::kArchive) return;
  throw Error(path.string(), fmt::format("is {}, not an OTF2 archive", name_of(kind)),
              "name the directory that `plumbline record -o` wrote, or its traces.otf2");
}

}  // namespace plumbline::cli
