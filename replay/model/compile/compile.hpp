#pragma once
// A model as a program file: what the replay runs. Made one process at a time, so that memory holds one.

#include <filesystem>
#include <optional>
#include <string_view>

#include "replay/model/compile/layout.hpp"
#include "replay/model/compile/unroll.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::model {

// The property of a program that was compiled from a model: its source. Such a program was never run: an operation
// begins when the computation before it is over, and takes no time but where it is a Delay.
inline constexpr std::string_view kModelProperty = "model";

bool is_of_model(const Program& program);

// The call of an operation is its MPI name, its site the place of its directive: "jacobi.c:27". Nothing where `faults`
// says why not. Layout has enough nodes.
std::optional<Program> compile_model(const Instance& instance, const Layout& layout, const std::filesystem::path& file,
                                     Faults& faults);

}  // namespace plumbline::replay::model
