#pragma once
// Reading the samples of a node (samples_format.h). A file whose writer died is read up to its last whole record.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/files/mapped_file.hpp"
#include "tracer/spool/format/samples_format.h"

namespace plumbline::spool {

struct SampleRecord {
  std::uint16_t kind = 0;  // enum pl_sample_kind
  std::uint16_t series = 0;
  std::span<const std::uint64_t> payload;
};

// One sampler's file, mapped: the spans of its records live as long as it does.
class Samples {
 public:
  // Throws Error when the file holds no samples or is of another version.
  explicit Samples(const std::filesystem::path& path);

  const pl_samples_header& header() const { return header_; }
  const std::filesystem::path& path() const { return path_; }
  // False when the sampler was killed, could not write (a full disk), or still runs: the last of its samples are
  // missing.
  bool is_whole() const { return is_whole_; }
  void for_each(const std::function<void(const SampleRecord&)>& visit) const;

 private:
  std::filesystem::path path_;
  MappedFile file_;
  pl_samples_header header_{};
  std::span<const std::uint64_t> records_;  // whole ones
  bool is_whole_ = false;
};

// All files of samples below a directory, by name.
std::vector<std::filesystem::path> find_samples(const std::filesystem::path& directory);

}  // namespace plumbline::spool
