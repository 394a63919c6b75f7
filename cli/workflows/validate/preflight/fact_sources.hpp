#pragma once
// Which checks read which facts of nodes (docs/reference/node-facts.md).

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/facts.hpp"

namespace plumbline::cli::validate {

using FactsByHost = std::map<std::string, node::Facts>;

// Ids of the checks that could not be made, because none of these facts is one that they read.
std::vector<std::string_view> checks_without_facts(
    std::initializer_list<std::reference_wrapper<const FactsByHost>> all);

}  // namespace plumbline::cli::validate
