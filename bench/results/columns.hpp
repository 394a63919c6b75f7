#pragma once
// Rows of plain structs as columns in one HDF5 group, for both directions from one list of members. Texts are numbers
// of words in one list for the whole file; a list per row is one flat column NAME beside NAME_begin, [rows + 1], which
// says where each row's part begins. Every column bears a checksum.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "bench/results/attributes.hpp"

namespace plumbline::bench::hdf5 {

inline constexpr hsize_t kChunk = 8192;            // elements
inline constexpr hsize_t kWorthCompressing = 256;  // elements

// Texts, each once, in the order of their first use.
class Words {
 public:
  std::uint32_t number_of(const std::string& text) {
    const auto [entry, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.push_back(text);
    return entry->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// A column as chunks with checksums, compressed where that pays.
Handle column_layout(hsize_t count, const std::filesystem::path& file);

template <class T>
void write_column(hid_t table, const std::string& name, const std::vector<T>& values,
                  const std::filesystem::path& file) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, file, name);
  const Handle layout = column_layout(count, file);
  const Handle made(H5Dcreate2(table, name.c_str(), file_type<T>(), space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose,
                    file, name);
  require(H5Dwrite(made, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), file, name);
}
void write_texts(hid_t table, const std::string& name, const std::vector<std::string>& texts,
                 const std::filesystem::path& file);

// Number of elements of an open column. An Error where that many cannot be in the file.
std::size_t length_of(hid_t column, std::size_t element_size, const std::string& name,
                      const std::filesystem::path& file);

template <class T>
std::vector<T> read_column(hid_t table, const std::string& name, const std::filesystem::path& file) {
  const Handle there(H5Dopen2(table, name.c_str(), H5P_DEFAULT), H5Dclose, file, "no column '" + name + "'");
  std::vector<T> values(length_of(there, sizeof(T), name, file));
  require(H5Dread(there, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), file,
          "column '" + name + "' is damaged");
  return values;
}
std::vector<std::string> read_texts(hid_t table, const std::string& name, const std::filesystem::path& file);

template <class Row>
class TableWriter {
 public:
  TableWriter(hid_t table, const std::vector<Row>& rows, Words& words, std::filesystem::path file)
      : table_(table), rows_(rows), words_(words), file_(std::move(file)) {}

  template <class T>
  void number(const std::string& name, T Row::*member) const {
    column<T>(name, [&](const Row& row) { return row.*member; });
  }
  void flag(const std::string& name, bool Row::*member) const {
    column<std::uint8_t>(name, [&](const Row& row) -> std::uint8_t { return row.*member ? 1 : 0; });
  }
  void text(const std::string& name, std::string Row::*member) const {
    column<std::uint32_t>(name, [&](const Row& row) { return words_.number_of(row.*member); });
  }
  template <class T>
  void list(const std::string& name, std::vector<T> Row::*member) const {
    std::vector<T> flat;
    for (const Row& row : rows_) flat.insert(flat.end(), (row.*member).begin(), (row.*member).end());
    begins(name, [&](const Row& row) { return (row.*member).size(); });
    write_column(table_, name, flat, file_);
  }
  template <class T>
  void optional_list(const std::string& name, std::vector<T> Row::*member) const {
    list(name, member);
  }
  void texts(const std::string& name, std::vector<std::string> Row::*member) const {
    std::vector<std::uint32_t> flat;
    for (const Row& row : rows_)
      for (const std::string& text : row.*member) flat.push_back(words_.number_of(text));
    begins(name, [&](const Row& row) { return (row.*member).size(); });
    write_column(table_, name, flat, file_);
  }
  void optional_texts(const std::string& name, std::vector<std::string> Row::*member) const { texts(name, member); }
  void named_numbers(const std::string& name, std::map<std::string, double> Row::*member) const {
    std::vector<double> values;
    named(name, member, [&](double value) { values.push_back(value); });
    write_column(table_, name + "_value", values, file_);
  }
  void named_texts(const std::string& name, std::map<std::string, std::string> Row::*member) const {
    std::vector<std::uint32_t> values;
    named(name, member, [&](const std::string& value) { values.push_back(words_.number_of(value)); });
    write_column(table_, name + "_value", values, file_);
  }

 private:
  template <class T, class ValueOf>
  void column(const std::string& name, ValueOf value_of) const {
    std::vector<T> values;
    values.reserve(rows_.size());
    for (const Row& row : rows_) values.push_back(value_of(row));
    write_column(table_, name, values, file_);
  }
  template <class SizeOf>
  void begins(const std::string& name, SizeOf size_of) const {
    std::vector<std::uint64_t> values{0};
    for (const Row& row : rows_) values.push_back(values.back() + size_of(row));
    write_column(table_, name + "_begin", values, file_);
  }
  template <class Map, class Add>
  void named(const std::string& name, Map Row::*member, Add add) const {
    std::vector<std::uint32_t> names;
    for (const Row& row : rows_)
      for (const auto& [key, value] : row.*member) {
        names.push_back(words_.number_of(key));
        add(value);
      }
    begins(name, [&](const Row& row) { return (row.*member).size(); });
    write_column(table_, name + "_name", names, file_);
  }

  hid_t table_;
  const std::vector<Row>& rows_;
  Words& words_;
  std::filesystem::path file_;
};

// Throws Error where columns do not go together.
template <class Row>
class TableReader {
 public:
  TableReader(hid_t table, std::vector<Row>& rows, const std::vector<std::string>& words, std::filesystem::path file)
      : table_(table), rows_(rows), words_(words), file_(std::move(file)) {}

  template <class T>
  void number(const std::string& name, T Row::*member) {
    const std::vector<T> values = column<T>(name);
    for (std::size_t i = 0; i < values.size(); ++i) rows_[i].*member = values[i];
  }
  void flag(const std::string& name, bool Row::*member) {
    const std::vector<std::uint8_t> values = column<std::uint8_t>(name);
    for (std::size_t i = 0; i < values.size(); ++i) rows_[i].*member = values[i] != 0;
  }
  void text(const std::string& name, std::string Row::*member) {
    const std::vector<std::uint32_t> values = column<std::uint32_t>(name);
    for (std::size_t i = 0; i < values.size(); ++i) rows_[i].*member = word(values[i], name);
  }
  template <class T>
  void list(const std::string& name, std::vector<T> Row::*member) {
    const std::vector<T> flat = read_column<T>(table_, name, file_);
    for_each_part(name, flat.size(), [&](Row& row, std::size_t i) { (row.*member).push_back(flat[i]); });
  }
  // A column that came later: where the file is older, each row's list is empty.
  template <class T>
  void optional_list(const std::string& name, std::vector<T> Row::*member) {
    if (is_there(name) || is_there(name + "_begin")) list(name, member);
  }
  void texts(const std::string& name, std::vector<std::string> Row::*member) {
    const std::vector<std::uint32_t> flat = read_column<std::uint32_t>(table_, name, file_);
    for_each_part(name, flat.size(), [&](Row& row, std::size_t i) { (row.*member).push_back(word(flat[i], name)); });
  }
  void optional_texts(const std::string& name, std::vector<std::string> Row::*member) {
    if (is_there(name) || is_there(name + "_begin")) texts(name, member);
  }
  void named_numbers(const std::string& name, std::map<std::string, double> Row::*member) {
    const std::vector<double> values = read_column<double>(table_, name + "_value", file_);
    named(name, values.size(),
          [&](Row& row, const std::string& key, std::size_t i) { (row.*member)[key] = values[i]; });
  }
  void named_texts(const std::string& name, std::map<std::string, std::string> Row::*member) {
    const std::vector<std::uint32_t> values = read_column<std::uint32_t>(table_, name + "_value", file_);
    named(name, values.size(),
          [&](Row& row, const std::string& key, std::size_t i) { (row.*member)[key] = word(values[i], name); });
  }

 private:
  bool is_there(const std::string& name) const { return H5Lexists(table_, name.c_str(), H5P_DEFAULT) > 0; }
  // The first column says how many rows there are.
  template <class T>
  std::vector<T> column(const std::string& name) {
    std::vector<T> values = read_column<T>(table_, name, file_);
    if (!sized_) rows_.resize(values.size());
    sized_ = true;
    if (values.size() != rows_.size()) Handle::fail(file_, "columns of different length: '" + name + "'");
    return values;
  }
  template <class Add>
  void for_each_part(const std::string& name, std::size_t count, Add add) {
    const std::vector<std::uint64_t> begins = read_column<std::uint64_t>(table_, name + "_begin", file_);
    if (begins.size() != rows_.size() + 1 || begins.front() != 0 || begins.back() != count)
      Handle::fail(file_, "'" + name + "_begin' does not fit");
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (begins[row] > begins[row + 1] || begins[row + 1] > count)
        Handle::fail(file_, "'" + name + "_begin' does not fit");
      for (std::uint64_t i = begins[row]; i < begins[row + 1]; ++i) add(rows_[row], i);
    }
  }
  template <class Set>
  void named(const std::string& name, std::size_t count, Set set) {
    const std::vector<std::uint32_t> names = read_column<std::uint32_t>(table_, name + "_name", file_);
    if (names.size() != count) Handle::fail(file_, "columns of different length: '" + name + "'");
    for_each_part(name, count, [&](Row& row, std::size_t i) { set(row, word(names[i], name), i); });
  }
  const std::string& word(std::uint32_t number, const std::string& name) const {
    if (number >= words_.size()) Handle::fail(file_, "'" + name + "' names a word that is not there");
    return words_[number];
  }

  hid_t table_;
  std::vector<Row>& rows_;
  const std::vector<std::string>& words_;
  std::filesystem::path file_;
  bool sized_ = false;
};

}  // namespace plumbline::bench::hdf5
