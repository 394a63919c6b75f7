#pragma once
// A file of fields and columns that is written once and then mapped: a cache. A file that is cut short, changed
// anywhere, of another version, key or byte order is as one that is not there. The hash tells damage and not intent:
// who reads indices from it looks whether they are inside of what they point into (opening/check.hpp).
//
// Header of 64 B: "PLUMBKPT", version u32, byte order u32, key 2 x u64, bytes of the file u64, place of the fields u64,
// XXH3-64 of everything behind the header u64, 0 u64. Then the columns, each at a multiple of 64 B, and those of equal
// content once; then the fields one behind the other. Of a column the fields have its place and its length.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/files/mapped_file.hpp"
#include "base/memory/kept_column.hpp"

namespace plumbline::viewer {

struct KeptKey {
  std::uint64_t high = 0, low = 0;

  bool operator==(const KeptKey&) const = default;
};

// What was added must be there until write().
class KeptFileWriter {
 public:
  template <class T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(std::as_bytes(std::span(&value, 1)));
  }
  void text(const std::string& text);
  template <class T>
  void column(const KeptColumn<T>& column) {
    value(place_of(std::as_bytes(std::span(column.data(), column.size()))));
    value(std::uint64_t{column.size()});
  }

  // Whole or not at all. Error where it cannot be written.
  void write(const std::filesystem::path& path, std::uint32_t version, const KeptKey& key) const;

 private:
  void append(std::span<const std::byte> bytes);
  std::uint64_t place_of(std::span<const std::byte> column);

  std::vector<std::byte> fields_;
  std::vector<std::span<const std::byte>> columns_;
  std::vector<std::uint64_t> places_;
  std::unordered_multimap<std::uint64_t, std::size_t> known_;  // by hash of the content: index into columns_
  std::uint64_t end_ = 0;                                      // of the columns so far; 0: the header is before them
};

// Thrown by a reader that is asked for more than there is.
struct KeptFileEnds {};

class KeptFileReader {
 public:
  // Nothing where the file is not there, not whole, or not of this version and key.
  static std::optional<KeptFileReader> open(const std::filesystem::path& path, std::uint32_t version,
                                            const KeptKey& key);

  template <class T>
  void value(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(static_cast<void*>(&value), take(sizeof value).data(), sizeof value);
  }
  void text(std::string& text);
  // The column lies in the file, which it keeps mapped.
  template <class T>
  void column(KeptColumn<T>& column) {
    std::uint64_t place = 0, count = 0;
    value(place);
    value(count);
    const std::span<const std::byte> bytes = column_at(place, count, sizeof(T));
    column = {std::span(reinterpret_cast<const T*>(bytes.data()), static_cast<std::size_t>(count)), file_};
  }
  // Of a list, whose elements have at least a byte each.
  std::size_t count();
  bool is_at_end() const { return fields_.empty(); }

 private:
  explicit KeptFileReader(std::shared_ptr<const MappedFile> file) : file_(std::move(file)) {}
  std::span<const std::byte> take(std::size_t bytes);
  std::span<const std::byte> column_at(std::uint64_t place, std::uint64_t count, std::size_t size) const;

  std::shared_ptr<const MappedFile> file_;
  std::span<const std::byte> columns_, fields_;  // the columns with the header before them; fields that are left
};

}  // namespace plumbline::viewer
