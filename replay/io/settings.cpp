#include "replay/io/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "replay/program/thread_level.hpp"

namespace plumbline::replay::io {
namespace {

template <class Number>
void read_number(std::string_view text, Number& to) {
  Number value{};
  if (!text.empty() && std::from_chars(text.data(), text.data() + text.size(), value).ptr == text.data() + text.size())
    to = value;
}

template <class Number>
void read_number(const HintMap& hints, std::string_view name, Number& to) {
  if (const auto hint = hints.find(name); hint != hints.end()) read_number(hint->second, to);
}

void read_switch(const HintMap& hints, std::string_view name, RomioSwitch& to) {
  const auto hint = hints.find(name);
  if (hint == hints.end()) return;
  if (hint->second == "enable") to = RomioSwitch::kEnable;
  if (hint->second == "disable") to = RomioSwitch::kDisable;
  if (hint->second == "automatic") to = RomioSwitch::kAutomatic;
}

// MPICH tells this hint of every file.
bool are_of_mpich(const HintMap& hints) { return hints.contains("romio_no_indep_rw"); }

// With Open MPI hints prove nothing: it keeps whatever it was given, and none that its ROMIO has in force.
MpiIoLibrary library_of(const Program& program, const HintMap& recorded, std::string_view asked) {
  std::string_view name = program.property("library");
  if (asked == "openmpi") name = "Open MPI";
  if (asked == "mpich") name = "MPICH";
  if (name.find("Open MPI") == std::string_view::npos)
    return name.find("MPICH") != std::string_view::npos || are_of_mpich(recorded) ? MpiIoLibrary::kRomio
                                                                                  : MpiIoLibrary::kUnknown;
  const bool romio = program.property("mca:io").starts_with("romio");
  return romio && asked.empty() ? MpiIoLibrary::kRomio321 : MpiIoLibrary::kOmpio;
}

void read_romio(const HintMap& hints, FileSettings& settings) {
  RomioHints& romio = settings.romio;
  read_number(hints, "cb_buffer_size", romio.cb_buffer_size);
  read_number(hints, "ind_rd_buffer_size", romio.ind_rd_buffer_size);
  read_number(hints, "ind_wr_buffer_size", romio.ind_wr_buffer_size);
  read_number(hints, "romio_min_fdomain_size", romio.romio_min_fdomain_size);
  read_number(hints, "striping_unit", romio.striping_unit);
  read_number(hints, "cb_nodes", settings.cb_nodes);
  read_switch(hints, "romio_cb_read", romio.romio_cb_read);
  read_switch(hints, "romio_cb_write", romio.romio_cb_write);
  read_switch(hints, "romio_ds_read", romio.romio_ds_read);
  read_switch(hints, "romio_ds_write", romio.romio_ds_write);
  if (const auto list = hints.find("cb_config_list"); list != hints.end()) settings.cb_config_list = list->second;
}

void read_ompio(const Program& program, const HintMap& hints, FileSettings& settings) {
  OmpioSettings& ompio = settings.ompio;
  read_number(program.property("mca:io_ompio_bytes_per_agg"), ompio.bytes_per_agg);
  read_number(program.property("mca:io_ompio_cycle_buffer_size"), ompio.cycle_buffer_size);
  read_number(program.property("mca:io_ompio_num_aggregators"), ompio.num_aggregators);
  read_number(program.property("mca:io_ompio_max_aggregators_ratio"), ompio.max_aggregators_ratio);
  std::uint32_t percent = 3;
  read_number(program.property("mca:io_ompio_aggregators_cutoff_threshold"), percent);
  ompio.aggregators_cutoff_threshold = percent;
  read_number(program.property("mca:fbtl_posix_max_block_size"), ompio.max_block_size);
  read_number(program.property("mca:fbtl_posix_max_gap_size"), ompio.max_gap_size);
  read_number(program.property("mca:fbtl_posix_max_tmpbuf_size"), ompio.max_tmpbuf_size);
  ompio.read_datasieving = program.property("mca:fbtl_posix_read_datasieving") != "0";
  ompio.write_datasieving = program.property("mca:fbtl_posix_write_datasieving") != "0";
  ompio.thread_multiple = has_thread_multiple(program);
  read_number(hints, "cb_buffer_size", ompio.bytes_per_agg);
  read_number(hints, "cb_nodes", ompio.cb_nodes);
  settings.ompio_component = program.property("mca:fcoll");
  const auto buffering = hints.find("collective_buffering");
  settings.alone = buffering != hints.end() && buffering->second != "false";
}

// File systems that have a driver of their own in ROMIO (adio/ad_*), or locks of their own in OMPIO (fs/base).
std::string_view other_driver(const Program& program, std::uint32_t file, const HintMap& hints, bool romio) {
  std::string type(program.property("filesystem:" + std::string(program.file(file))));
  const auto driver = hints.find("romio_filesystem_type");
  if (romio && driver != hints.end()) type = driver->second;
  std::transform(type.begin(), type.end(), type.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOthers = {{
      {"lustre", "on Lustre the library cuts the file by its stripes"},
      {"nfs", "on NFS the library locks each access"},
      {"gpfs", "GPFS has a driver of its own"},
      {"panfs", "PanFS has a driver of its own"},
      {"pvfs", "PVFS has a driver of its own"},
  }};
  for (const auto& [name, reason] : kOthers)
    if (type.find(name) != std::string::npos) return reason;
  return {};
}

bool is_component(std::string_view name) {
  return name.empty() || name == "vulcan" || name == "individual" || name == "two_phase" || name == "dynamic" ||
         name == "dynamic_gen2";
}

}  // namespace

HintMap parse_hints(std::string_view lines) {
  HintMap hints;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos) hints[std::string(line.substr(0, equals))] = line.substr(equals + 1);
  }
  return hints;
}

MpiIoLibrary mpi_io_library(const Program& program, std::uint16_t hints, std::string_view asked) {
  return library_of(program, parse_hints(program.hints(hints)), asked);
}

FileSettings file_settings(const Program& program, std::uint32_t file, const IoAccess& access,
                           const std::map<std::string, std::string>& asked, std::string_view library) {
  HintMap hints = parse_hints(program.hints(access.hints));
  FileSettings settings;
  settings.library = library_of(program, hints, library);
  for (const auto& [name, value] : asked) hints[name] = value;
  settings.atomic = (access.file_flags & kAtomicMode) != 0;
  const bool romio = settings.library == MpiIoLibrary::kRomio || settings.library == MpiIoLibrary::kRomio321;
  if (romio) read_romio(hints, settings);
  if (settings.library == MpiIoLibrary::kOmpio) read_ompio(program, hints, settings);
  settings.not_covered = other_driver(program, file, hints, romio);
  if (settings.library == MpiIoLibrary::kUnknown) settings.not_covered = "the library of MPI-IO is not known";
  if (!is_component(settings.ompio_component)) settings.not_covered = "this component of fcoll is not modelled";
  // Open MPI has none in force where none were given; MPICH tells all.
  const bool tells = settings.library != MpiIoLibrary::kRomio && program.property("creator").starts_with("plumbline ");
  if (access.hints == kNoHints && asked.empty() && !tells)
    settings.assumed = "no hints were recorded: the library's defaults";
  return settings;
}

OmpioCollective component_of(const FileSettings& settings, std::uint32_t ranks) {
  if (settings.alone || settings.ompio_component == "individual") return OmpioCollective::kIndividual;
  if (settings.ompio_component == "vulcan") return OmpioCollective::kVulcan;
  if (settings.ompio_component == "two_phase") return OmpioCollective::kTwoPhase;
  if (settings.ompio_component == "dynamic") return OmpioCollective::kDynamic;
  if (settings.ompio_component == "dynamic_gen2") return OmpioCollective::kDynamicGen2;
  return ompio_collective_of(ranks);
}

}  // namespace plumbline::replay::io
