#include "bench/ranks/environment/mca_variables.hpp"

#include <dlfcn.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "base/node/setting_line.hpp"

namespace plumbline::bench {
namespace {

// opal/mca/base/mca_base_var.h of Open MPI 1.7 to 5.0.
using FindByName = int (*)(const char* name, int* index);
using GetValue = int (*)(int index, const void* storage, int* source, const char** source_file);
enum Source { kDefault, kCommandLine, kEnvironment, kFile, kSet, kOverride };

template <class Function>
Function loaded(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

struct Variable {
  const void* storage = nullptr;  // nullptr: there is none
  int source = kDefault;
  const char* file = nullptr;
};

Variable variable_of(const char* name) {
  const auto find = loaded<FindByName>("mca_base_var_find_by_name");
  const auto get = loaded<GetValue>("mca_base_var_get_value");
  Variable variable;
  int index = -1;
  if (find == nullptr || get == nullptr || find(name, &index) != 0 || index < 0) return variable;
  if (get(index, &variable.storage, &variable.source, &variable.file) != 0) variable.storage = nullptr;
  return variable;
}

std::uint32_t line_in(const char* file, const char* name) {
  std::ifstream stream(file);
  return node::setting_line(std::string(std::istreambuf_iterator<char>(stream), {}), name);
}

}  // namespace

bool has_mca_variable(const char* name) { return variable_of(name).storage != nullptr; }

bool mca_truth(const char* name) {
  const Variable variable = variable_of(name);
  return variable.storage != nullptr && *static_cast<const bool*>(variable.storage);
}

std::optional<node::RankSetting> mca_text(const char* name) {
  const Variable variable = variable_of(name);
  const char* text = variable.storage == nullptr ? nullptr : *static_cast<const char* const*>(variable.storage);
  if (text == nullptr || *text == '\0') return std::nullopt;
  node::RankSetting setting{name, text, "", "", 0};
  switch (variable.source) {
    case kCommandLine:
      setting.how = "command line";
      break;
    case kEnvironment:
      setting.how = "environment";
      break;
    case kSet:
      setting.how = "set";
      break;
    case kFile:
    case kOverride:
      setting.how = "file";
      break;
    default:
      break;
  }
  if (setting.how == "environment") setting.file = std::string("OMPI_MCA_") + name;
  if (setting.how == "file" && variable.file != nullptr) {
    setting.file = variable.file;
    setting.line = line_in(variable.file, name);
  }
  return setting;
}

// Texts in a component of MCA 2 (Open MPI 1.3 to 5.0): its framework at byte 40, its name at byte 84.
std::string selected_pml() {
  constexpr std::size_t kFramework = 40, kName = 84, kMostName = 64;
  const char* component = loaded<const char*>("mca_pml_base_selected_component");
  if (component == nullptr || std::strcmp(component + kFramework, "pml") != 0) return "";
  return std::string(component + kName, ::strnlen(component + kName, kMostName));
}

}  // namespace plumbline::bench
