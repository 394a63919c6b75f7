#include "replay/model/compile/instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"

namespace plumbline::replay::model {
namespace {

[[noreturn]] void refuse_setting(const Setting& setting, const std::string& what, const std::string& hint = {}) {
  throw Error("--set", fmt::format("{}={}: {}", setting.name, setting.value, what),
              hint.empty() ? "for example --set xsize=256" : hint, ExitCode::kWrongUse);
}

Expression expression_of(const Setting& setting, const Names& names) {
  Faults faults("--set");
  const std::vector<Token> tokens = tokens_of({{setting.value, {1, 1}}}, faults);
  if (!faults.empty()) refuse_setting(setting, "is no expression");
  try {
    std::size_t at = 1;  // behind kBegin
    Expression expression = parse_expression(tokens, at, names);
    if (tokens[at].kind != Token::Kind::kEnd)
      refuse_setting(setting, fmt::format("'{}' behind the value", tokens[at].text));
    return expression;
  } catch (const Fault& fault) {
    refuse_setting(setting, fault.what,
                   fault.is_of_name ? "a setting knows procnum, numprocs and the settings before it" : fault.hint);
  }
}

std::string machine_of(const Model& model, const std::string& asked) {
  const std::vector<std::string> machines = machines_of(model);
  if (!asked.empty()) {
    if (std::ranges::find(machines, asked) == machines.end())
      throw Error(model.source, fmt::format("no Serial directive is on the machine '{}'", asked),
                  machines.empty() ? "leave out --machine" : fmt::format("it names {}", fmt::join(machines, ", ")),
                  ExitCode::kWrongUse);
    return asked;
  }
  if (machines.size() > 1)
    throw Error(model.source, fmt::format("has times of {} machines: {}", machines.size(), fmt::join(machines, ", ")),
                fmt::format("choose one: --machine {}", machines.front()), ExitCode::kWrongUse);
  return machines.empty() ? std::string() : machines.front();
}

}  // namespace

Instance instance_of(const Model& model, std::uint32_t numprocs, const std::vector<Setting>& settings,
                     const std::string& machine, Duration time_unit) {
  Instance instance{.model = &model, .numprocs = numprocs, .machine = machine_of(model, machine), .constants = {}};
  instance.time_unit = time_unit;
  Names names;
  for (std::size_t i = 0; i < model.constants.size(); ++i) {
    const Constant& constant = model.constants[i];
    if (i < settings.size()) {
      PLUMBLINE_CHECK(settings[i].name == constant.name, "a model is given what it was parsed with");
      instance.constants.push_back(expression_of(settings[i], names));
    } else {
      instance.constants.push_back(constant.value);
    }
    names.declare(constant.name, false);
  }
  return instance;
}

std::vector<Value> values_of(const Instance& instance, std::uint32_t rank) {
  std::vector<Value> slots(instance.model->slots);
  slots[kProcnum] = Value::of(std::int64_t{rank});
  slots[kNumprocs] = Value::of(std::int64_t{instance.numprocs});
  for (std::size_t i = 0; i < instance.constants.size(); ++i)
    slots[instance.model->constants[i].slot] = evaluate(instance.constants[i], slots);
  return slots;
}

}  // namespace plumbline::replay::model
