#include "bench/results/file.hpp"

#include "base/check.hpp"
#include "bench/results/hdf5.hpp"

namespace plumbline::bench {
namespace {

using hdf5::Handle;
using hdf5::require;
namespace fs = std::filesystem;

constexpr std::uint32_t kVersion = 1;
constexpr hsize_t kChunk = 4096;
constexpr std::size_t kLongestText = 1 << 20;
constexpr std::uintmax_t kBestCompression = 2000;  // deflate reaches 1032; a longer column cannot be in the file

// Calls action(name, field) for each field of the environment: one list for both directions.
template <class E, class Action>
void for_each_field(E& e, Action action) {
  action("host", e.host);
  action("created", e.created);
  action("kernel", e.kernel);
  action("processor", e.processor);
  action("cores", e.cores);
  action("load_before", e.load_before);
  action("load_after", e.load_after);
  action("stolen", e.stolen);
  action("involuntary_switches", e.involuntary_switches);
  action("mpi", e.mpi);
  action("mpi_flavour", e.mpi_flavour);
  action("late_ns", e.late_ns);
  action("directory", e.directory);
  action("mount_point", e.mount_point);
  action("file_system", e.file_system);
}

Handle string_type(std::size_t size, const fs::path& file) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, file, "string type");
  require(H5Tset_size(type, size > 0 ? size : 1), file, "string size");
  require(H5Tset_cset(type, H5T_CSET_UTF8), file, "character set");
  return type;
}

struct Writer {
  fs::path file;

  Handle group(hid_t parent, const std::string& name) const {
    const Handle order(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, file, name);
    require(H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), file, name);
    return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, order, H5P_DEFAULT), H5Gclose, file, name};
  }

  void attribute(hid_t owner, const char* name, const std::string& text) const {
    const Handle type = string_type(text.size(), file);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, file, name);
    const Handle made(H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, file, name);
    require(H5Awrite(made, type, text.empty() ? "\0" : text.data()), file, name);
  }

  template <class T>
  void attribute(hid_t owner, const char* name, const T& value) const {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, file, name);
    const Handle made(H5Acreate2(owner, name, hdf5::file_type<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, file,
                      name);
    require(H5Awrite(made, hdf5::memory_type<T>(), &value), file, name);
  }

  template <class T>
  void column(hid_t table, const char* name, const std::vector<Sample>& samples, T Sample::*member) const {
    std::vector<T> values;
    values.reserve(samples.size());
    for (const Sample& sample : samples) values.push_back(sample.*member);
    const hsize_t count = values.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, file, name);
    const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, file, name);
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

struct Reader {
  fs::path file;

  Handle group(hid_t parent, const std::string& name) const {
    return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, file, "no group '" + name + "'"};
  }

  Handle attribute(hid_t owner, const std::string& name) const {
    return {H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose, file, "no attribute '" + name + "'"};
  }

  void read(hid_t owner, const std::string& name, std::string& text) const {
    const Handle there = attribute(owner, name);
    const Handle type(H5Aget_type(there), H5Tclose, file, name);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
      Handle::fail(file, "attribute '" + name + "' is not a string");
    if (H5Tget_size(type) > kLongestText) Handle::fail(file, "attribute '" + name + "' is too long");
    text.assign(H5Tget_size(type), '\0');
    require(H5Aread(there, type, text.data()), file, "attribute '" + name + "'");
    text.resize(text.find_last_not_of('\0') + 1);
  }

  template <class T>
  void read(hid_t owner, const std::string& name, T& value) const {
    require(H5Aread(attribute(owner, name), hdf5::memory_type<T>(), &value), file, "attribute '" + name + "'");
  }

  template <class T>
  void column(hid_t table, const char* name, std::vector<Sample>& samples, T Sample::*member) const {
    const Handle there(H5Dopen2(table, name, H5P_DEFAULT), H5Dclose, file, std::string("no column '") + name + "'");
    const Handle space(H5Dget_space(there), H5Sclose, file, name);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (static_cast<std::uintmax_t>(count) > fs::file_size(file) * kBestCompression)
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
  const Writer writer{path};
  const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, path, "create");
  writer.attribute(file, "format", std::string("plumbline measurements"));
  writer.attribute(file, "version", kVersion);
  const Handle environment = writer.group(file, "environment");
  for_each_field(measurements.environment,
                 [&](const char* name, const auto& value) { writer.attribute(environment, name, value); });
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
  if (!fs::exists(path)) throw Error(path.string(), "does not exist");
  const Reader reader{path};
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, path, "not HDF5, or truncated");
  std::string format;
  std::uint32_t version = 0;
  reader.read(file, "format", format);
  reader.read(file, "version", version);
  if (format != "plumbline measurements") Handle::fail(path, "its format is '" + format + "'");
  if (version != kVersion) Handle::fail(path, "version " + std::to_string(version) + " is not known here");
  Measurements result;
  const Handle environment = reader.group(file, "environment");
  for_each_field(result.environment, [&](const char* name, auto& value) { reader.read(environment, name, value); });
  result.notes = reader.notes(file);
  const Handle all = reader.group(file, "series");
  H5G_info_t info;
  require(H5Gget_info(all, &info), path, "series");
  for (hsize_t i = 0; i < info.nlinks; ++i) result.series.push_back(reader.series(all, reader.name_of(all, i)));
  return result;
}

}  // namespace plumbline::bench
