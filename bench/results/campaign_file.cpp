#include "bench/results/campaign_file.hpp"

#include "bench/results/columns.hpp"

namespace plumbline::bench {
namespace {

using hdf5::Handle;
using hdf5::require;
namespace fs = std::filesystem;

constexpr char kCampaignFormat[] = "plumbline campaign";
constexpr std::uint32_t kCampaignVersion = 1;

// The columns, for a TableWriter or a TableReader.
template <class Table>
void columns_of_runs(Table& table) {
  table.text("mpi", &Run::mpi);
  table.text("library", &Run::library);
  table.number("nodes", &Run::nodes);
  table.number("per_node", &Run::per_node);
  table.texts("hosts", &Run::hosts);
  table.list("node_of", &Run::node_of);
  table.texts("bindings", &Run::bindings);
  table.text("created", &Run::created);
  table.number("load_before", &Run::load_before);
  table.number("load_after", &Run::load_after);
  table.number("stolen", &Run::stolen);
  table.list("involuntary_switches", &Run::involuntary_switches);
  table.flag("finished", &Run::finished);
  table.texts("disturbances", &Run::disturbances);
  table.optional_texts("boots", &Run::boots);
  table.optional_list("socket_of", &Run::socket_of);
}

template <class Table>
void columns_of_cells(Table& table) {
  table.text("operation", &Cell::operation);
  table.text("implementation", &Cell::implementation);
  table.number("bytes", &Cell::bytes);
  table.number("run", &Cell::run);
  table.number("position", &Cell::position);
  table.list("ranks", &Cell::ranks);
  table.number("in_flight", &Cell::in_flight);
  table.named_numbers("numbers", &Cell::numbers);
  table.named_texts("words", &Cell::words);
  table.text("timing", &Cell::timing);
  table.text("isolation", &Cell::isolation);
  table.text("stop", &Cell::stop);
  table.flag("reached", &Cell::reached);
  table.number("clock_bound_s", &Cell::clock_bound_s);
  table.number("window_s", &Cell::window_s);
  table.number("began_s", &Cell::began_s);
  table.list("seconds", &Cell::seconds);
  table.list("flags", &Cell::flags);
  table.list("of_ranks", &Cell::of_ranks);
}

// Since HDF5 1.10 what is not a column bears checksums too.
Handle newest_form(const fs::path& path) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path, "access");
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110), path, "form");
  return access;
}

void write_into(const Campaign& campaign, const fs::path& path) {
  const hdf5::Writer writer{path};
  const Handle access = newest_form(path);
  const Handle creation = hdf5::timeless_creation(H5P_FILE_CREATE, path, "create");
  const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, path, "create");
  writer.attribute(file, "format", std::string(kCampaignFormat));
  writer.attribute(file, "version", kCampaignVersion);
  writer.attribute(file, "seed", campaign.seed);
  writer.environment(file, campaign.environment);
  hdf5::write_texts(file, "text", {campaign.text}, path);
  hdf5::write_texts(file, "notes", campaign.notes, path);
  hdf5::Words words;
  const Handle runs = writer.group(file, "runs"), cells = writer.group(file, "cells");
  hdf5::TableWriter<Run> of_runs(runs, campaign.runs, words, path);
  columns_of_runs(of_runs);
  hdf5::TableWriter<Cell> of_cells(cells, campaign.cells, words, path);
  columns_of_cells(of_cells);
  hdf5::write_texts(file, "words", words.all(), path);
  require(H5Fflush(file, H5F_SCOPE_GLOBAL), path, "write");
}

void require_runs_of_cells(const Campaign& campaign, const fs::path& path) {
  for (const Cell& cell : campaign.cells) {
    if (cell.run >= campaign.runs.size()) Handle::fail(path, "a cell of a run that is not there");
    if (cell.flags.size() != cell.seconds.size()) Handle::fail(path, "a cell with other than one flag per repetition");
  }
}

}  // namespace

void write_campaign(const Campaign& campaign, const fs::path& path, Overwrite overwrite) {
  const hdf5::QuietErrors quiet;
  StagedOutput output(path, StagedOutput::Kind::kFile, overwrite);
  try {
    write_into(campaign, output.staging());
  } catch (const Error&) {
    throw Error(path.string(), "cannot be written", "is there space for it?");
  }
  output.commit();
}

Campaign read_campaign(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  const hdf5::Reader reader{path};
  const Handle file = reader.open();
  reader.require_form(file, kCampaignFormat, kCampaignVersion);
  Campaign result;
  reader.read(file, "seed", result.seed);
  result.environment = reader.environment(file);
  const std::vector<std::string> text = hdf5::read_texts(file, "text", path);
  if (text.size() != 1) Handle::fail(path, "the text of the campaign is not one");
  result.text = text[0];
  result.notes = hdf5::read_texts(file, "notes", path);
  const std::vector<std::string> words = hdf5::read_texts(file, "words", path);
  const Handle runs = reader.group(file, "runs"), cells = reader.group(file, "cells");
  hdf5::TableReader<Run> of_runs(runs, result.runs, words, path);
  columns_of_runs(of_runs);
  hdf5::TableReader<Cell> of_cells(cells, result.cells, words, path);
  columns_of_cells(of_cells);
  require_runs_of_cells(result, path);
  return result;
}

bool is_campaign(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  const hdf5::Reader reader{path};
  std::string format;
  reader.read(reader.open(), "format", format);
  return format == kCampaignFormat;
}

}  // namespace plumbline::bench
