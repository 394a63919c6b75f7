#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/validate/preflight/parts.hpp"
#include "replay/validate/preflight/transport_lists.hpp"
#include "replay/validate/witness/parts.hpp"
#include "replay/validate/witness/setting_meanings.hpp"

namespace plumbline::replay::validate {
namespace {

bool is_off(std::string_view value) { return value == "0" || value == "false" || value == "no" || value.empty(); }
bool is_on(std::string_view value) { return value == "1" || value == "true" || value == "yes"; }

void observe(const ControlVariable& variable, std::string_view id, std::string text, std::vector<Observation>& into) {
  Observation& seen = into.emplace_back();
  seen.id = id;
  seen.text = std::move(text);
  seen.component = variable.name;
  seen.rows = {{variable.name, variable.value, ""}, {"MPI", name_of_mpi(variable.mpi), ""}};
  if (!variable.default_value.empty()) seen.rows.push_back({"default", variable.default_value, ""});
  if (variable.is_set()) seen.origin = variable.origin;
}

// Messages by ob1 go over BTLs, those of UCX over its transports; where it is not known which, both count.
bool uses_ucx(const std::vector<ControlVariable>& variables, const std::string& mpi) {
  const ControlVariable* selected = find_variable(variables, "pml.selected", mpi);
  return selected == nullptr || selected->value.find("ob1") == std::string::npos;
}

bool uses_btl(const std::vector<ControlVariable>& variables, const std::string& mpi) {
  const ControlVariable* selected = find_variable(variables, "pml.selected", mpi);
  return mpi == "openmpi" && (selected == nullptr || selected->value.find("ob1") != std::string::npos);
}

// UCX finds out by itself who shares memory, whatever MPICH takes for a node (tried with 4.0.2: 0.37 us instead of 0.33
// us a message).
bool device_is_ucx(const std::vector<ControlVariable>& variables, const std::string& mpi) {
  const ControlVariable* device = find_variable(variables, "device", mpi);
  return device != nullptr && device->value.find("ucx") != std::string::npos;
}

void see_ucx(const ControlVariable& tls, std::vector<Observation>& into) {
  if (!has_shared_memory_of_ucx(tls.value))
    observe(tls, "mpi.transport.no-shared-memory",
            "Local messages do not go through shared memory: UCX_TLS leaves it out", into);
  else if (!has_single_copy_of_ucx(tls.value))
    observe(tls, "mpi.transport.no-single-copy", "Large local messages are copied twice: UCX_TLS leaves cma out", into);
}

// Names of the mechanisms by number: opal/mca/btl/vader/btl_vader.h of Open MPI 4.1.
std::string mechanism_of(const std::string& value) {
  constexpr const char* kNames[] = {"xpmem", "cma", "knem", "none", "emulated"};
  return value.size() == 1 && value[0] >= '0' && value[0] <= '4' ? kNames[value[0] - '0'] : value;
}

// Where the kernel refuses copying, vader writes what it falls back to into the variable: then nobody has set it.
void see_vader(const ControlVariable& mechanism, std::vector<Observation>& into) {
  const std::string name = mechanism_of(mechanism.value);
  if (name != "none" && name != "emulated") return;
  observe(mechanism, "mpi.transport.no-single-copy",
          mechanism.is_set()
              ? fmt::format("Large local messages are copied twice: the mechanism is set to '{}'", name)
              : fmt::format("Large local messages are copied twice: the library fell back to '{}'", name),
          into);
}

constexpr std::string_view kLocalOfOpenMpi[] = {"vader", "sm"};  // sm: its name in Open MPI 5

void see_transport(const ControlVariable& variable, const std::vector<ControlVariable>& all,
                   std::vector<Observation>& into) {
  const TransportList list = parse_transports(variable.value);
  const bool no_local = list.excludes ? !list.names.empty() && (leaves_out(list, {kLocalOfOpenMpi, 1}) ||
                                                                leaves_out(list, {kLocalOfOpenMpi + 1, 1}))
                                      : leaves_out(list, kLocalOfOpenMpi);
  if (variable.name == "btl" && no_local && uses_btl(all, variable.mpi))
    observe(variable, "mpi.transport.no-shared-memory",
            "Local messages do not go through shared memory: btl leaves it out", into);
  if (variable.name == "btl_vader_single_copy_mechanism" && uses_btl(all, variable.mpi)) see_vader(variable, into);
  if (variable.name == "UCX_TLS" && uses_ucx(all, variable.mpi)) see_ucx(variable, into);
  const bool no_neighbours = variable.name == "MPIR_CVAR_NOLOCAL" || variable.name == "MPIR_CVAR_ODD_EVEN_CLIQUES";
  if (no_neighbours && is_on(variable.value) && !device_is_ucx(all, variable.mpi))
    observe(variable, "mpi.transport.no-shared-memory",
            "Local messages do not go through shared memory: ranks of a node are taken for distant ones", into);
  const bool copies = variable.name == "MPIR_CVAR_CH4_CMA_ENABLE" || variable.name == "MPIR_CVAR_CH4_XPMEM_ENABLE";
  if (copies && is_off(variable.value))
    observe(variable, "mpi.transport.no-single-copy",
            "Large local messages may be copied twice: a way to copy once is off", into);
}

// Lists of components that shut out nothing but themselves are told with what they do. A forced algorithm of `tuned`
// has no effect without dynamic rules.
std::string text_of_setting(const ControlVariable& variable, const SettingMeaning& meaning,
                            const std::vector<ControlVariable>& all) {
  const ControlVariable* rules = find_variable(all, "coll_tuned_use_dynamic_rules", variable.mpi);
  const bool idle = fits(variable.name, "coll_tuned_*_algorithm") && rules != nullptr && is_off(rules->value);
  return fmt::format("{} is set to '{}', which {}{}", variable.name, variable.value, meaning.what,
                     idle ? "; without coll_tuned_use_dynamic_rules it has no effect" : "");
}

}  // namespace

// How local messages go does not matter where there are none; a setting is told as any other then.
void see_transports(const WitnessInput& input, std::vector<Observation>& into) {
  if (input.is_apart) return;
  for (const ControlVariable& variable : input.variables) see_transport(variable, input.variables, into);
}

// What see_transports() has told of is not told again.
void see_settings(const WitnessInput& input, std::vector<Observation>& into) {
  std::set<std::pair<std::string, std::string>> told;
  for (const Observation& seen : into)
    if (seen.id.starts_with("mpi.transport.") && seen.rows.size() > 1) told.emplace(seen.component, seen.rows[1].value);
  for (const ControlVariable& variable : input.variables) {
    if (!variable.is_set() || told.contains({variable.name, name_of_mpi(variable.mpi)})) continue;
    if (variable.name == "ROMIO_HINTS") {
      observe(variable, "io.hints.file", fmt::format("Hints for every file are read from {}", variable.value), into);
      continue;
    }
    if (const SettingMeaning* meaning = meaning_of(variable.name))
      observe(variable, meaning->check, text_of_setting(variable, *meaning, input.variables), into);
  }
}

}  // namespace plumbline::replay::validate
