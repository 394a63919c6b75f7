#pragma once
// The few calls of HDF5 that we need, with owners and located errors.

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace plumbline::bench::hdf5 {

using Closer = herr_t (*)(hid_t);

// Owns one HDF5 identifier; a failed call becomes an Error with the name of the file.
class Handle {
 public:
  Handle(hid_t id, Closer closer, const std::filesystem::path& file, const std::string& doing)
      : id_(id), closer_(closer) {
    if (id < 0) fail(file, doing);
  }
  ~Handle() {
    if (id_ >= 0) closer_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }

  [[noreturn]] static void fail(const std::filesystem::path& file, const std::string& doing) {
    throw Error(
        file.string(), "not a readable measurement file: " + doing,
        "it may be truncated or of another program; measure again with plumbline calibrate --keep, or plumbline bench");
  }

 private:
  hid_t id_;
  Closer closer_;
};

inline void require(herr_t status, const std::filesystem::path& file, const std::string& doing) {
  if (status < 0) Handle::fail(file, doing);
}

// Properties of an object to be created (H5P_DATASET_CREATE, H5P_GROUP_CREATE or H5P_FILE_CREATE). HDF5 would write the
// second of its creation beside it: the same data would be another file a second later.
inline Handle timeless_creation(hid_t of_class, const std::filesystem::path& file, const std::string& name) {
  Handle properties(H5Pcreate(of_class), H5Pclose, file, name);
  require(H5Pset_obj_track_times(properties, false), file, name);
  return properties;
}

// HDF5 prints its stack of errors by default; ours say what is needed.
class QuietErrors {
 public:
  QuietErrors() {
    // What a damaged file left half open, HDF5 1.10 tries in vain to close at the exit, and complains on stderr.
    H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, double>)
    return H5T_NATIVE_DOUBLE;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return H5T_NATIVE_UINT64;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return H5T_NATIVE_UINT8;
  else {
    static_assert(std::is_same_v<T, std::uint32_t>);
    return H5T_NATIVE_UINT32;
  }
}

template <class T>
hid_t file_type() {
  if constexpr (std::is_same_v<T, double>)
    return H5T_IEEE_F64LE;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return H5T_STD_U64LE;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return H5T_STD_U8LE;
  else
    return H5T_STD_U32LE;
}

}  // namespace plumbline::bench::hdf5
