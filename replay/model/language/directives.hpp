#pragma once
// A model: its directives as a tree (Grove and Coddington, "Communication Benchmarking and Performance Modelling of MPI
// Programs on Cluster Computers", 2005; docs/reference/model-language.md).

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "replay/model/language/expression.hpp"
#include "replay/model/language/faults.hpp"
#include "replay/model/language/message_types.hpp"

namespace plumbline::replay::model {

struct Statement;
using Block = std::vector<Statement>;

struct Loop {
  Expression iterations;
  std::optional<Slot> variable;  // counts them from 0
  Block body;
};

// A process runs the block of the first condition that holds for it, or none.
struct Runon {
  std::vector<Expression> conditions;
  std::vector<Block> blocks;  // one for each
};

struct Message {
  const MessageType* type = nullptr;
  std::array<std::optional<Expression>, kExpressions> values;  // by Attribute
  std::string file, request;
  std::string view;  // that the file is seen through: notation of tracer/archive/layout/layout.hpp; empty: contiguous

  const std::optional<Expression>& operator[](Attribute attribute) const {
    return values[static_cast<std::size_t>(attribute)];
  }
};

struct Serial {
  std::string machine;  // that it holds for; empty: any
  Expression time;
  bool delays = false;  // Delay: time passes, and nothing is computed
};

struct Statement {
  Place place;
  std::variant<Loop, Runon, Message, Serial> what;
};

struct Constant {
  std::string name;
  Slot slot = 0;
  Expression value;
};

// What a recording tells of the library and of files, and the replay goes by: a property of the program.
struct Property {
  std::string name, value;
};

struct Model {
  std::string source;  // as faults name it
  std::vector<Property> properties;
  std::vector<Constant> constants;  // those that were given, then as they are declared
  Slot slots = kFirstSlot;
  Block body;
};

// `given`: names that have a value from outside (instance_of() says which), so that a model need not declare them.
// Throws Error with all that is wrong. The model owns what it needs of the text.
Model parse_model(std::string_view text, const std::string& source, const std::vector<std::string>& given = {});

// Machines that Serial directives name, in the order of the source.
std::vector<std::string> machines_of(const Model& model);

}  // namespace plumbline::replay::model
