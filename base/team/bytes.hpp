#pragma once
// Values as bytes, for processes of one program on machines of one kind.

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/check.hpp"

namespace plumbline {

class ByteWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put_text(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put_all(std::span<const T> values) {
    put(std::uint64_t{values.size()});
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void put_texts(std::span<const std::string> texts) {
    put(std::uint64_t{texts.size()});
    for (const std::string& text : texts) put_text(text);
  }

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads values in the order in which they were put. A value that is not there is a failed check: the bytes come from
// ourselves.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}
  explicit ByteReader(std::string&&) = delete;  // it would not live as long

  template <class T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view get_text() { return take(get<std::uint64_t>()); }
  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> get_all() {
    const auto count = get<std::uint64_t>();
    PLUMBLINE_CHECK(count <= left_.size() / sizeof(T), "as many values as were put");
    std::vector<T> values(count);
    const std::string_view bytes = take(count * sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::vector<std::string> get_texts() {
    std::vector<std::string> texts;
    for (auto count = get<std::uint64_t>(); count > 0; --count) texts.emplace_back(get_text());
    return texts;
  }
  bool at_end() const { return left_.empty(); }

 private:
  std::string_view take(std::uint64_t count) {
    PLUMBLINE_CHECK(count <= left_.size(), "as many bytes as were put");
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  std::string_view left_;
};

}  // namespace plumbline
