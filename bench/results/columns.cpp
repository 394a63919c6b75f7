#include "bench/results/columns.hpp"

#include <algorithm>

namespace plumbline::bench::hdf5 {

namespace fs = std::filesystem;

Handle column_layout(hsize_t count, const fs::path& file) {
  Handle layout = timeless_creation(H5P_DATASET_CREATE, file, "layout");
  if (count == 0) return layout;
  const hsize_t chunk = std::min(count, kChunk);
  require(H5Pset_chunk(layout, 1, &chunk), file, "chunks");
  if (count >= kWorthCompressing && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    require(H5Pset_shuffle(layout), file, "shuffle");
    require(H5Pset_deflate(layout, 4), file, "deflate");
  }
  require(H5Pset_fletcher32(layout), file, "checksum");
  return layout;
}

// Of one width, filled up with NUL: compression takes that away again, and no heap can be damaged.
void write_texts(hid_t table, const std::string& name, const std::vector<std::string>& texts, const fs::path& file) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::string padded;
  padded.reserve(width * texts.size());
  for (const std::string& text : texts) padded.append(text).append(width - text.size(), '\0');
  const hsize_t count = texts.size();
  const Handle type = string_type(width, file);
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, file, name);
  const Handle layout = timeless_creation(H5P_DATASET_CREATE, file, name);
  if (count > 0) {
    const hsize_t chunk = std::clamp<hsize_t>((kChunk * 8) / width, 1, count);
    require(H5Pset_chunk(layout, 1, &chunk), file, name);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) require(H5Pset_deflate(layout, 4), file, name);
    require(H5Pset_fletcher32(layout), file, name);
  }
  const Handle made(H5Dcreate2(table, name.c_str(), type, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose, file,
                    name);
  require(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), file, name);
}

std::size_t length_of(hid_t column, std::size_t element_size, const std::string& name, const fs::path& file) {
  const Handle space(H5Dget_space(column), H5Sclose, file, name);
  if (H5Sget_simple_extent_ndims(space) != 1) Handle::fail(file, "column '" + name + "' is not one");
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const std::uintmax_t most = fs::file_size(file) * kBestCompression / element_size;
  if (count < 0 || static_cast<std::uintmax_t>(count) > most)
    Handle::fail(file, "column '" + name + "' is longer than the file");
  return static_cast<std::size_t>(count);
}

std::vector<std::string> read_texts(hid_t table, const std::string& name, const fs::path& file) {
  const Handle there(H5Dopen2(table, name.c_str(), H5P_DEFAULT), H5Dclose, file, "no column '" + name + "'");
  const Handle type(H5Dget_type(there), H5Tclose, file, name);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    Handle::fail(file, "column '" + name + "' is not of strings");
  const std::size_t width = H5Tget_size(type);
  const std::size_t count = length_of(there, width, name, file);
  std::string padded(width * count, '\0');
  require(H5Dread(there, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), file, "column '" + name + "' is damaged");
  std::vector<std::string> texts;
  texts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = padded.substr(i * width, width);
    text.resize(text.find_last_not_of('\0') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace plumbline::bench::hdf5
