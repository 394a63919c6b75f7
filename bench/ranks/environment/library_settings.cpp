#include "bench/ranks/environment/library_settings.hpp"

#include <cstdlib>

#include "base/node/text.hpp"
#include "bench/ranks/environment/mca_variables.hpp"

namespace plumbline::bench {
namespace {

// "MPICH Device:	ch4:ucx"
std::string_view behind(std::string_view version, std::string_view label) {
  while (!version.empty()) {
    const std::string_view line = node::take_line(version);
    if (line.starts_with(label)) return node::trimmed(line.substr(label.size()));
  }
  return {};
}

void add_environment(std::vector<node::RankSetting>& settings) {
  for (const char* name : {"UCX_TLS", "UCX_NET_DEVICES", "UCX_RNDV_THRESH", "FI_PROVIDER", "MPIR_CVAR_NOLOCAL",
                           "MPIR_CVAR_ODD_EVEN_CLIQUES", "MPIR_CVAR_NETMOD", "ROMIO_HINTS"})
    if (const char* value = std::getenv(name)) settings.push_back({name, value, "environment", name, 0});
}

}  // namespace

std::string debug_options_of_mpich(std::string_view version) {
  std::string options;
  for (const std::string_view word : node::words_of(behind(version, "MPICH configure:"))) {
    const bool debug = word.starts_with("--enable-g=") && word != "--enable-g=none" && word != "--enable-g=no";
    if (debug || word == "--enable-g" || word == "--enable-debuginfo" || word == "--enable-fast=none")
      options.append(options.empty() ? "" : " ").append(word);
  }
  return options;
}

// These variables exist in builds with --enable-debug alone (opal/datatype/opal_datatype_module.c of Open MPI 4.1).
std::string debug_build(std::string_view version) {
  return has_mca_variable("mpi_ddt_unpack_debug") ? "--enable-debug" : debug_options_of_mpich(version);
}

bool yields_when_idle() { return mca_truth("mpi_yield_when_idle"); }

std::vector<node::RankSetting> settings_of_transports(std::string_view version) {
  std::vector<node::RankSetting> settings;
  for (const char* name : {"pml", "btl", "mtl", "osc", "io", "coll"})
    if (auto setting = mca_text(name)) settings.push_back(std::move(*setting));
  if (const std::string pml = selected_pml(); !pml.empty()) settings.push_back({"pml.selected", pml, "", "", 0});
  if (const std::string_view device = behind(version, "MPICH Device:"); !device.empty())
    settings.push_back({"device", std::string(device), "", "", 0});
  add_environment(settings);
  return settings;
}

}  // namespace plumbline::bench
