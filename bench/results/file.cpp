#include "bench/results/file.hpp"

#include "base/check.hpp"
#include "bench/results/attributes.hpp"

namespace plumbline::bench {
namespace {

using hdf5::Handle;
using hdf5::require;
namespace fs = std::filesystem;

constexpr char kFormat[] = "plumbline measurements";
constexpr std::uint32_t kVersion = 1;
constexpr hsize_t kChunk = 4096;

struct SeriesWriter : hdf5::Writer {
  template <class T>
  void column(hid_t table, const char* name, const std::vector<Sample>& samples, T Sample::*member) const {
    std::vector<T> values;
    values.reserve(samples.size());
    for (const Sample& sample : samples) values.push_back(sample.*member);
    const hsize_t count = values.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, file, name);
    const Handle layout = hdf5::timeless_creation(H5P_DATASET_CREATE, file, name);
    if (count > kChunk && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
      require(H5Pset_chunk(layout, 1, &kChunk), file, name);
      require(H5Pset_shuffle(layout), file, name);
      require(H5Pset_deflate(layout, 4), file, name);
    }
    const Handle made(H5Dcreate2(table, name, hdf5::file_type<T>(), space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose,
                      file, name);
    require(H5Dwrite(made, hdf5::memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), file, name);
  }

  void notes(hid_t parent, const std::vector<std::string>& lines) const {
    const Handle made = group(parent, "notes");
    attribute(made, "count", static_cast<std::uint32_t>(lines.size()));
    std::uint32_t number = 0;
    for (const std::string& line : lines) attribute(made, std::to_string(number++).c_str(), line);
  }
};

struct SeriesReader : hdf5::Reader {
  template <class T>
  void column(hid_t table, const char* name, std::vector<Sample>& samples, T Sample::*member) const {
    const Handle there(H5Dopen2(table, name, H5P_DEFAULT), H5Dclose, file, std::string("no column '") + name + "'");
    const Handle space(H5Dget_space(there), H5Sclose, file, name);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (static_cast<std::uintmax_t>(count) > fs::file_size(file) * hdf5::kBestCompression)
      Handle::fail(file, "a column longer than the file");
    if (count < 0 || (!samples.empty() && static_cast<std::size_t>(count) != samples.size()))
      Handle::fail(file, "columns of different length");
    std::vector<T> values(static_cast<std::size_t>(count));
    require(H5Dread(there, hdf5::memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), file,
            std::string("column '") + name + "'");
    samples.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) samples[i].*member = values[i];
  }

  std::vector<std::string> notes(hid_t parent) const {
    const Handle there = group(parent, "notes");
    std::uint32_t count = 0;
    read(there, "count", count);
    std::vector<std::string> lines;
    for (std::uint32_t i = 0; i < count; ++i) read(there, std::to_string(i), lines.emplace_back());
    return lines;
  }

  std::string name_of(hid_t parent, hsize_t index) const {
    char name[256] = {};
    const ssize_t length =
        H5Lget_name_by_idx(parent, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, index, name, sizeof name, H5P_DEFAULT);
    if (length < 0 || static_cast<std::size_t>(length) >= sizeof name) Handle::fail(file, "name of a series");
    return name;
  }

  Series series(hid_t parent, const std::string& name) const {
    Series result{name, {}, {}};
    const Handle table = group(parent, name);
    read(table, "unit", result.unit);
    column(table, "size", result.samples, &Sample::size);
    column(table, "round", result.samples, &Sample::round);
    column(table, "rank", result.samples, &Sample::rank);
    column(table, "value", result.samples, &Sample::value);
    return result;
  }
};

void write_into(const Measurements& measurements, const fs::path& path) {
  const SeriesWriter writer{{path}};
  const Handle creation = hdf5::timeless_creation(H5P_FILE_CREATE, path, "create");
  const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose, path, "create");
  writer.attribute(file, "format", std::string(kFormat));
  writer.attribute(file, "version", kVersion);
  writer.environment(file, measurements.environment);
  writer.notes(file, measurements.notes);
  const Handle all = writer.group(file, "series");
  for (const Series& each : measurements.series) {
    PLUMBLINE_CHECK(!each.name.empty() && each.name.find('/') == std::string::npos, "a series has a plain name");
    const Handle table = writer.group(all, each.name);
    writer.attribute(table, "unit", each.unit);
    writer.column(table, "size", each.samples, &Sample::size);
    writer.column(table, "round", each.samples, &Sample::round);
    writer.column(table, "rank", each.samples, &Sample::rank);
    writer.column(table, "value", each.samples, &Sample::value);
  }
  require(H5Fflush(file, H5F_SCOPE_GLOBAL), path, "write");
}

}  // namespace

void write_measurements(const Measurements& measurements, const fs::path& path, Overwrite overwrite) {
  const hdf5::QuietErrors quiet;
  StagedOutput output(path, StagedOutput::Kind::kFile, overwrite);
  write_into(measurements, output.staging());
  output.commit();
}

Measurements read_measurements(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  const SeriesReader reader{{path}};
  const Handle file = reader.open();
  reader.require_form(file, kFormat, kVersion);
  Measurements result;
  result.environment = reader.environment(file);
  result.notes = reader.notes(file);
  const Handle all = reader.group(file, "series");
  H5G_info_t info;
  require(H5Gget_info(all, &info), path, "series");
  for (hsize_t i = 0; i < info.nlinks; ++i) result.series.push_back(reader.series(all, reader.name_of(all, i)));
  return result;
}

}  // namespace plumbline::bench
