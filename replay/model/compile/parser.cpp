// Directives: recursive descent over the tokens. After a fault it goes on with the next directive, so that all faults
// of a model are told at once.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "replay/model/compile/compile.hpp"
#include "replay/model/language/directives.hpp"
#include "replay/model/language/message_directive.hpp"
#include "replay/model/language/token_cursor.hpp"

namespace plumbline::replay::model {
namespace {

constexpr int kMostNested = 100;

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_built_in(std::string_view name) {
  constexpr std::array<std::string_view, 6> kBuiltIn = {"procnum",        "numprocs",      "any",
                                                        "MPI_ANY_SOURCE", "MPI_PROC_NULL", "sizeof"};
  return std::ranges::find(kBuiltIn, name) != kBuiltIn.end();
}

class DirectiveParser : private TokenCursor {
 public:
  DirectiveParser(const std::vector<Token>& all, Faults& faults, Model& model, const std::vector<std::string>& given)
      : TokenCursor{all}, faults_(faults), model_(model) {
    for (const std::string& name : given) {
      const Slot slot = names.declare(name, false);
      Expression zero;
      zero.nodes.push_back({.place = {}, .literal = Value::of(std::int64_t{0})});
      model_.constants.push_back({name, slot, std::move(zero)});
      given_.insert(name);
    }
  }

  // Names that were given and are of no constant, in their order.
  std::vector<std::string> unknown() const {
    std::vector<std::string> names_left;
    for (const Constant& constant : model_.constants)
      if (given_.contains(constant.name) && !used.contains(constant.slot)) names_left.push_back(constant.name);
    return names_left;
  }

  void run() {
    while (token().kind != Token::Kind::kEnd) {
      block(model_.body);
      skip_begins();
      if (is("}")) {
        faults_.add({token().place, "closes a block that was not opened", "remove it, or open one with {"});
        ++at;
      }
    }
    model_.slots = names.slots();
  }

 private:
  // A constant that is not known is told where it is first used.
  void tell(const Fault& fault) { fault.is_of_name ? faults_.add_once(fault) : faults_.add(fault); }

  // Up to the } that closes it, which is left, or to the end.
  void block(Block& statements) {
    while (skip_begins(), token().kind != Token::Kind::kEnd && !is("}")) {
      try {
        statement(statements);
      } catch (const Fault& fault) {
        tell(fault);
        skip_directive();
      }
    }
  }

  void statement(Block& statements) {
    const Place place = token().place;
    if (is("{")) {  // so that what stands in it is looked at too
      faults_.add({place, "opens a block that belongs to no Loop and no Runon", "write the directive before it"});
      Block orphan;
      return braces(orphan, "this block");
    }
    if (!is_name()) throw_unknown();
    const std::string word = lower(token().text);
    if (word == "loop") return loop(statements, place);
    if (word == "runon") return runon(statements, place);
    if (word == "message") return message(statements, place);
    if (word == "serial") return serial(statements, place, "Serial");
    if (word == "delay") return serial(statements, place, "Delay");
    if (word == "constant") return constant();
    if (word == "property") return property(place);
    throw_unknown();
  }

  [[noreturn]] void throw_unknown() {
    const Token unknown = token();
    ++at;
    throw Fault{unknown.place, fmt::format("there is no directive '{}'", unknown.text),
                "known are Loop, Runon, Message, Serial, Delay, Constant, Property, { and }"};
  }

  // "{ .. }" of a directive that ended; reports what is missing and goes on.
  void braces(Block& statements, std::string_view whose) {
    skip_begins();
    const Place opening = token().place;
    if (!is("{")) {
      faults_.add({opening, fmt::format("the block of {} is missing", whose), "open it with {"});
      return;
    }
    ++at;
    if (++nested_ > kMostNested) {
      faults_.add({opening, "blocks are nested too deeply"});
      at = tokens.size() - 1;
    }
    block(statements);
    --nested_;
    if (is("}"))
      ++at;
    else if (nested_ < kMostNested)
      faults_.add({opening, fmt::format("the block of {} is not closed", whose), "close it with }"});
  }

  void loop(Block& statements, Place place) {
    ++at;
    Loop loop;
    std::optional<std::string_view> variable;
    bool has_iterations = false;
    try {
      while (!at_end_of_directive()) {
        const Place where = token().place;
        const std::string_view name = attribute_name();
        equals(name);
        if (name != "iterations" && name != "variable")
          throw Fault{where, fmt::format("Loop has no attribute '{}'", name), "it has iterations and variable"};
        if (name == "iterations" ? has_iterations : variable.has_value()) throw_given_twice(where, name);
        if (name == "iterations")
          loop.iterations = expression(), has_iterations = true;
        else
          variable = variable_name();
      }
      if (!has_iterations) throw Fault{place, "Loop has no iterations", "write Loop iterations = 100"};
    } catch (const Fault& fault) {
      tell(fault);
      skip_directive();
    }
    if (variable) loop.variable = names.declare(*variable, true);
    braces(loop.body, "Loop");
    if (variable) names.forget_last();
    if (has_iterations) statements.push_back({place, std::move(loop)});
  }

  std::string_view variable_name() {
    if (!is_name()) throw Fault{here(), "a variable has a name"};
    require_new(token());
    const std::string_view name = token().text;
    ++at;
    return name;
  }

  void require_new(const Token& name) const {
    if (names.find(name.text) || is_built_in(name.text))
      throw Fault{name.place, fmt::format("'{}' has a meaning already", name.text), "choose another name"};
  }

  void runon(Block& statements, Place place) {
    ++at;
    Runon runon;
    try {
      while (!at_end_of_directive()) {
        const Place where = token().place;
        const std::string_view name = attribute_name();
        equals(name);
        const std::string expected = fmt::format("c{}", runon.conditions.size() + 1);
        if (name != expected)
          throw Fault{where, fmt::format("'{}' where {} is expected", name, expected),
                      "conditions are c1, c2, .. in this order"};
        runon.conditions.push_back(expression());
      }
      if (runon.conditions.empty()) throw Fault{place, "Runon has no condition", "write Runon c1 = procnum == 0"};
    } catch (const Fault& fault) {
      tell(fault);
      skip_directive();
    }
    skip_begins();
    if (runon.conditions.empty()) {  // its blocks are looked at all the same
      Block orphan;
      while (skip_begins(), is("{")) braces(orphan, "Runon");
      return;
    }
    for (std::size_t i = 0; i < runon.conditions.size(); ++i) {
      runon.blocks.emplace_back();
      braces(runon.blocks.back(), fmt::format("c{} of Runon", i + 1));
    }
    statements.push_back({place, std::move(runon)});
  }

  void message(Block& statements, Place place) {
    ++at;
    statements.push_back({place, parse_message(*this, place)});
  }

  void serial(Block& statements, Place place, std::string_view directive) {
    ++at;
    Serial serial;
    serial.delays = directive == "Delay";
    bool has_time = false;
    while (!at_end_of_directive()) {
      const Place where = token().place;
      const std::string_view name = attribute_name();
      if (name == "on") {
        if (!serial.machine.empty()) throw_given_twice(where, name);
        serial.machine = word_or_string("name of a machine");
        continue;
      }
      equals(name);
      if (name != "time")
        throw Fault{where, fmt::format("{} has no attribute '{}'", directive, name), "it has on and time"};
      if (has_time) throw_given_twice(where, name);
      serial.time = expression();
      has_time = true;
    }
    if (!has_time)
      throw Fault{place, fmt::format("{} has no time", directive),
                  fmt::format("write {} time = 3.24ms/numprocs", directive)};
    statements.push_back({place, std::move(serial)});
  }

  // "Constant xsize = 256"
  void constant() {
    ++at;
    const Token name = token();
    if (!is_name()) throw Fault{here(), "a constant has a name", "write Constant xsize = 256"};
    if (nested_ > 0)
      throw Fault{name.place, "a constant is declared inside of a block", "declare it outside of all blocks"};
    const bool is_given = given_.erase(std::string(name.text)) > 0;
    if (!is_given) require_new(name);
    ++at;
    equals(name.text);
    Expression value = expression();
    if (!at_end_of_directive()) throw Fault{token().place, fmt::format("'{}' behind a constant", token().text)};
    if (is_given) return;
    const Slot slot = names.declare(name.text, false);
    model_.constants.push_back({std::string(name.text), slot, std::move(value)});
  }

  // "Property library = "Open MPI v4.1.4"". Of one name: lines of one property.
  void property(Place place) {
    ++at;
    if (nested_ > 0) throw Fault{place, "a property is told inside of a block", "tell it before the first block"};
    const std::string name = word_or_string("name of a property");
    equals(name);
    const std::string value = word_or_string("value of a property");
    if (name == kModelProperty || name == "program")
      throw Fault{place, fmt::format("the property '{}' is the model's own", name), "choose another name"};
    if (!at_end_of_directive()) throw Fault{token().place, fmt::format("'{}' behind a property", token().text)};
    const auto known = std::ranges::find(model_.properties, name, &Property::name);
    if (known == model_.properties.end())
      model_.properties.push_back({name, value});
    else
      known->value += "\n" + value;
  }

  Faults& faults_;
  Model& model_;
  std::set<std::string> given_;  // and not declared yet
  int nested_ = 0;
};

void find_machines(const Block& block, std::vector<std::string>& machines) {
  for (const Statement& statement : block) {
    if (const auto* loop = std::get_if<Loop>(&statement.what)) find_machines(loop->body, machines);
    if (const auto* runon = std::get_if<Runon>(&statement.what))
      for (const Block& branch : runon->blocks) find_machines(branch, machines);
    const auto* serial = std::get_if<Serial>(&statement.what);
    if (serial == nullptr || serial->machine.empty()) continue;
    if (std::ranges::find(machines, serial->machine) == machines.end()) machines.push_back(serial->machine);
  }
}

}  // namespace

Model parse_model(std::string_view text, const std::string& source, const std::vector<std::string>& given) {
  for (const std::string& name : given)
    if (is_built_in(name))
      throw Error("--set", fmt::format("'{}' has a meaning of its own", name),
                  name == "numprocs" ? "-n says how many processes there are" : "set a constant of the model",
                  ExitCode::kWrongUse);
  Model model;
  model.source = source;
  Faults faults(source);
  const std::vector<Token> tokens = tokens_of(directive_lines(text), faults);
  DirectiveParser parser(tokens, faults, model, given);
  parser.run();
  faults.throw_if_any();
  for (const std::string& name : parser.unknown())
    throw Error("--set", fmt::format("{} has no constant '{}'", source, name), "check the name", ExitCode::kWrongUse);
  if (model.body.empty())
    throw Error(source, "holds no directives", "write them into comments: // PEVPM Message type = MPI_Send ..");
  return model;
}

std::vector<std::string> machines_of(const Model& model) {
  std::vector<std::string> machines;
  find_machines(model.body, machines);
  return machines;
}

}  // namespace plumbline::replay::model
