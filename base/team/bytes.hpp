#pragma once
// Values as bytes, for processes of one program on machines of one kind.
//
// What can be copied by its bytes, texts, paths and containers go by themselves. Another struct tells its fields once,
// for both directions, in a function beside it:
//
//   template <class Io>
//   void fields(Io& io, Order& order) { io(order.file, order.ranks); }

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace plumbline {

class ByteWriter {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (value(values), ...);
  }
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

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  void value(const std::string& text) { put_text(text); }
  void value(const std::filesystem::path& path) { put_text(path.native()); }
  template <class T>
  void value(const std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>)
      put_all(std::span<const T>(values));
    else
      each(values);
  }
  template <class K, class V>
  void value(const std::map<K, V>& values) {
    each(values);
  }
  template <class T>
  void value(const std::set<T>& values) {
    each(values);
  }
  template <class A, class B>
  void value(const std::pair<A, B>& both) {
    (*this)(both.first, both.second);
  }
  template <class T>
  void value(const T& other) {
    if constexpr (std::is_trivially_copyable_v<T>)
      put(other);
    else
      fields(*this, const_cast<T&>(other));  // which only reads it
  }
  template <class T, std::size_t kSize>
  requires(!std::is_trivially_copyable_v<T>) void value(const std::array<T, kSize>& values) {
    for (const T& one : values) value(one);
  }
  template <class Container>
  void each(const Container& values) {
    put(std::uint64_t{values.size()});
    for (const auto& one : values) value(one);
  }

  std::string bytes_;
};

// Reads values in the order in which they were put. A value that is not there is a failed check: the bytes come from
// ourselves.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}
  explicit ByteReader(std::string&&) = delete;  // it would not live as long

  template <class... Values>
  void operator()(Values&... values) {
    (value(values), ...);
  }
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
  bool at_end() const { return left_.empty(); }

 private:
  void value(std::string& text) { text = get_text(); }
  void value(std::filesystem::path& path) { path = get_text(); }
  template <class T>
  void value(std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>)
      values = get_all<T>();
    else
      each<T>([&](T&& one) { values.push_back(std::move(one)); });
  }
  template <class K, class V>
  void value(std::map<K, V>& values) {
    each<std::pair<K, V>>([&](std::pair<K, V>&& one) { values.insert(std::move(one)); });
  }
  template <class T>
  void value(std::set<T>& values) {
    each<T>([&](T&& one) { values.insert(std::move(one)); });
  }
  template <class A, class B>
  void value(std::pair<A, B>& both) {
    (*this)(both.first, both.second);
  }
  template <class T>
  void value(T& other) {
    if constexpr (std::is_trivially_copyable_v<T>)
      other = get<T>();
    else
      fields(*this, other);
  }
  template <class T, std::size_t kSize>
  requires(!std::is_trivially_copyable_v<T>) void value(std::array<T, kSize>& values) {
    for (T& one : values) value(one);
  }
  template <class T, class Take>
  void each(Take take_one) {
    for (auto count = get<std::uint64_t>(); count > 0; --count) {
      T one;
      value(one);
      take_one(std::move(one));
    }
  }

  std::string_view take(std::uint64_t count) {
    PLUMBLINE_CHECK(count <= left_.size(), "as many bytes as were put");
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  std::string_view left_;
};

template <class T>
std::string to_bytes(const T& value) {
  ByteWriter out;
  out(value);
  return out.take();
}

template <class T>
T from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  T value;
  in(value);
  PLUMBLINE_CHECK(in.at_end(), "no more bytes than were put");
  return value;
}

}  // namespace plumbline
