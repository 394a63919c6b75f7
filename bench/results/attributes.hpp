#pragma once
// Groups and attributes of HDF5 files, and the environment as a group with one attribute for each field.

#include <cstdint>
#include <filesystem>
#include <string>

#include "bench/results/hdf5.hpp"
#include "bench/results/measurements.hpp"

namespace plumbline::bench::hdf5 {

inline constexpr std::uintmax_t kBestCompression = 2000;  // deflate reaches 1032; what is longer cannot be in the file

Handle string_type(std::size_t size, const std::filesystem::path& file);

struct Writer {
  std::filesystem::path file;  // for messages

  Handle group(hid_t parent, const std::string& name) const;  // its members keep their order
  void attribute(hid_t owner, const char* name, const std::string& text) const;

  template <class T>
  void attribute(hid_t owner, const char* name, const T& value) const {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, file, name);
    const Handle made(H5Acreate2(owner, name, file_type<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, file, name);
    require(H5Awrite(made, memory_type<T>(), &value), file, name);
  }

  void environment(hid_t parent, const Environment& environment) const;
};

// Everything throws Error, with the name of the file and of what is wrong in it.
struct Reader {
  std::filesystem::path file;

  Handle open() const;
  Handle group(hid_t parent, const std::string& name) const;
  Handle attribute(hid_t owner, const std::string& name) const;
  void read(hid_t owner, const std::string& name, std::string& text) const;

  template <class T>
  void read(hid_t owner, const std::string& name, T& value) const {
    require(H5Aread(attribute(owner, name), memory_type<T>(), &value), file, "attribute '" + name + "'");
  }

  void require_form(hid_t root, const std::string& format, std::uint32_t version) const;
  Environment environment(hid_t parent) const;
};

}  // namespace plumbline::bench::hdf5
