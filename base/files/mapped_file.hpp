#pragma once
// A whole file mapped read-only.

#include <cstddef>
#include <filesystem>
#include <span>

namespace plumbline {

class MappedFile {
 public:
  // Throws Error when the file is missing or unreadable. An empty file is an empty span.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // The pages of this range are not wanted for now: they stop to count as memory of this process. They may be read
  // again.
  void leave(std::size_t offset, std::size_t length) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace plumbline
