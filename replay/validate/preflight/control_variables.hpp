#pragma once
// Settings of an MPI library that are in force, with who has set them.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/rank_identity.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

struct ControlVariable {
  std::string name;           // "btl_tcp_eager_limit", "MPIR_CVAR_NOLOCAL", "UCX_TLS"
  std::string value;          // in force
  std::string default_value;  // empty: not known
  Origin origin;              // "how" empty or "default": nobody has set it
  std::string mpi;            // flavour

  bool is_set() const { return !origin.how.empty() && origin.how != "default" && value != default_value; }
};

// Of a recorded process: the facts of its run by key (PLUMBLINE::META, docs/reference/trace-format-properties.md), of
// which `cvar.NAME`, `cvar_source.NAME` and `env.NAME` are used. Variables of the environment that are settings
// themselves (UCX_TLS, ROMIO_HINTS) are among the result, and what the library chose: "pml.selected", "device".
std::vector<ControlVariable> control_variables(const std::map<std::string, std::string>& meta, const std::string& mpi);

// Of a process that has said who it is.
std::vector<ControlVariable> control_variables(const node::RankIdentity& identity);

// nullptr: there is none of that name.
const ControlVariable* find_variable(const std::vector<ControlVariable>& variables, std::string_view name,
                                     std::string_view mpi);

}  // namespace plumbline::replay::validate
