#include "bench/results/attributes.hpp"

namespace plumbline::bench::hdf5 {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestText = 1 << 20;

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

}  // namespace

Handle string_type(std::size_t size, const fs::path& file) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, file, "string type");
  require(H5Tset_size(type, size > 0 ? size : 1), file, "string size");
  require(H5Tset_cset(type, H5T_CSET_UTF8), file, "character set");
  return type;
}

Handle Writer::group(hid_t parent, const std::string& name) const {
  const Handle order = timeless_creation(H5P_GROUP_CREATE, file, name);
  require(H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), file, name);
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, order, H5P_DEFAULT), H5Gclose, file, name};
}

void Writer::attribute(hid_t owner, const char* name, const std::string& text) const {
  const Handle type = string_type(text.size(), file);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, file, name);
  const Handle made(H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, file, name);
  require(H5Awrite(made, type, text.empty() ? "\0" : text.data()), file, name);
}

void Writer::environment(hid_t parent, const Environment& environment) const {
  const Handle made = group(parent, "environment");
  for_each_field(environment, [&](const char* name, const auto& value) { attribute(made, name, value); });
}

Handle Reader::open() const {
  if (!fs::exists(file)) throw Error(file.string(), "does not exist");
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown))
    throw Error(file.string(), "is no regular file", "name a file that Plumbline wrote");
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, file, "not HDF5, or truncated"};
}

Handle Reader::group(hid_t parent, const std::string& name) const {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, file, "no group '" + name + "'"};
}

Handle Reader::attribute(hid_t owner, const std::string& name) const {
  return {H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose, file, "no attribute '" + name + "'"};
}

void Reader::read(hid_t owner, const std::string& name, std::string& text) const {
  const Handle there = attribute(owner, name);
  const Handle type(H5Aget_type(there), H5Tclose, file, name);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    Handle::fail(file, "attribute '" + name + "' is not a string");
  if (H5Tget_size(type) > kLongestText) Handle::fail(file, "attribute '" + name + "' is too long");
  text.assign(H5Tget_size(type), '\0');
  require(H5Aread(there, type, text.data()), file, "attribute '" + name + "'");
  text.resize(text.find_last_not_of('\0') + 1);
}

void Reader::require_form(hid_t root, const std::string& format, std::uint32_t version) const {
  std::string its_format;
  std::uint32_t its_version = 0;
  read(root, "format", its_format);
  read(root, "version", its_version);
  if (its_format != format) Handle::fail(file, "its format is '" + its_format + "'");
  if (its_version != version) Handle::fail(file, "version " + std::to_string(its_version) + " is not known here");
}

Environment Reader::environment(hid_t parent) const {
  Environment result;
  const Handle there = group(parent, "environment");
  for_each_field(result, [&](const char* name, auto& value) { read(there, name, value); });
  return result;
}

}  // namespace plumbline::bench::hdf5
