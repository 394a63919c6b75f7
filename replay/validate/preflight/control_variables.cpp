#include "replay/validate/preflight/control_variables.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::replay::validate {
namespace {

// Variables of the environment that libraries below MPI read by themselves.
bool is_setting_of_environment(std::string_view name) {
  constexpr std::string_view kBegins[] = {"UCX_", "UCC_", "FI_", "HCOLL_", "ROMIO_", "PSM2_", "MPICH_"};
  return std::ranges::any_of(kBegins, [&](std::string_view begin) { return name.starts_with(begin); });
}

// As the tracer writes it: "environment", "file PATH", "command line", "set".
Origin origin_of(std::string_view source, const std::string& name) {
  if (source.starts_with("file ")) return {"file", std::string(source.substr(5)), 0};
  if (source == "environment") return {"environment", "OMPI_MCA_" + name, 0};
  return {std::string(source), "", 0};
}

std::string text_at(const std::map<std::string, std::string>& meta, const std::string& key) {
  const auto found = meta.find(key);
  return found == meta.end() ? "" : found->second;
}

// MPICH's own names begin with MPIR_CVAR_; it reads the older MPICH_ and MPIR_PARAM_ too.
Origin origin_in_environment(const std::map<std::string, std::string>& meta, const std::string& name) {
  constexpr std::string_view kBegin = "MPIR_CVAR_";
  if (!name.starts_with(kBegin)) return {};
  for (const char* begin : {"MPIR_CVAR_", "MPIR_PARAM_", "MPICH_"}) {
    const std::string variable = begin + name.substr(kBegin.size());
    if (meta.contains("env." + variable)) return {"environment", variable, 0};
  }
  return {};
}

}  // namespace

std::vector<ControlVariable> control_variables(const std::map<std::string, std::string>& meta, const std::string& mpi) {
  constexpr std::string_view kVariable = "cvar.", kEnvironment = "env.";
  std::vector<ControlVariable> variables;
  for (const auto& [key, value] : meta) {
    if (key.starts_with(kVariable)) {
      const std::string name = key.substr(kVariable.size());
      const std::string source = text_at(meta, "cvar_source." + name);
      const Origin origin = source.empty() ? origin_in_environment(meta, name) : origin_of(source, name);
      variables.push_back({name, value, "", origin, mpi});
    } else if (key.starts_with(kEnvironment)) {
      const std::string name = key.substr(kEnvironment.size());
      const bool is_other_name = name.starts_with("MPICH_") && meta.contains("cvar.MPIR_CVAR_" + name.substr(6));
      if (is_setting_of_environment(name) && !is_other_name)
        variables.push_back({name, value, "", {"environment", name, 0}, mpi});
    }
  }
  // What the library chose, as processes that say who they are call it.
  for (const auto& [key, name] : {std::pair{"openmpi.pml", "pml.selected"}, std::pair{"mpi.device", "device"}})
    if (const std::string value = text_at(meta, key); !value.empty()) variables.push_back({name, value, "", {}, mpi});
  return variables;
}

std::vector<ControlVariable> control_variables(const node::RankIdentity& identity) {
  std::vector<ControlVariable> variables;
  for (const node::RankSetting& setting : identity.settings) {
    Origin origin = origin_of(setting.how, setting.name);
    if (setting.how == "file") origin = {"file", setting.file, setting.line};
    if (setting.how == "environment" && !setting.file.empty()) origin.file = setting.file;
    variables.push_back({setting.name, setting.value, "", origin, identity.flavour});
  }
  return variables;
}

const ControlVariable* find_variable(const std::vector<ControlVariable>& variables, std::string_view name,
                                     std::string_view mpi) {
  const auto found = std::ranges::find_if(
      variables, [&](const ControlVariable& variable) { return variable.name == name && variable.mpi == mpi; });
  return found == variables.end() ? nullptr : &*found;
}

}  // namespace plumbline::replay::validate
