#pragma once
// Telling our files apart by how they begin, so that a wrong one is named for what it is.

#include <filesystem>
#include <string_view>

namespace plumbline::cli {

enum class FileKind { kArchive, kProgram, kPlatform, kMeasurements, kUnknown, kCampaign };

// A directory is taken for an archive. Throws Error when there is nothing at `path`.
FileKind kind_of(const std::filesystem::path& path);

std::string_view name_of(FileKind kind);  // "a platform file"

// Throws Error when `path` is something else than an OTF2 archive.
void require_archive(const std::filesystem::path& path);

void require_archive_or_program(const std::filesystem::path& path);

}  // namespace plumbline::cli
