#include "replay/model/compile/unroll.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace plumbline::replay::model {
namespace {

class Unroller {
 public:
  Unroller(const Instance& instance, std::uint32_t rank, Faults& faults,
           const std::function<void(const Action&)>& visit, const UnrollLimits& limits)
      : instance_(instance), rank_(rank), faults_(faults), visit_(visit), limits_(limits) {}

  void run() {
    try {
      slots_ = values_of(instance_, rank_);
      block(instance_.model->body);
    } catch (const Fault& fault) {  // in a constant, or too much of something: nothing goes on
      add(fault);
    }
  }

 private:
  // Stops the process, unlike a fault of one statement.
  struct TooMuch : Fault {};

  void add(const Fault& fault) {
    faults_.add(fault.what.substr(0, fault.what.find(' ')), rank_, instance_.numprocs, fault);
  }

  void block(const Block& statements) {
    for (const Statement& statement : statements) {
      if (++steps_ > limits_.steps) throw TooMuch{{statement.place, "the model goes on for too long"}};
      if (!failed_.empty() && failed_.contains(&statement)) continue;
      place_ = statement.place;
      try {
        std::visit([this](const auto& what) { run(what); }, statement.what);
      } catch (const TooMuch&) {
        throw;
      } catch (const Fault& fault) {
        add(fault);
        failed_.insert(&statement);
      }
    }
  }

  // Of one that does not vary, once for the process.
  Value value(const Expression& expression) {
    if (expression.varies || expression.nodes.size() == 1) return evaluate(expression, slots_);
    const auto known = known_.find(&expression);
    if (known != known_.end()) return known->second;
    return known_.emplace(&expression, evaluate(expression, slots_)).first->second;
  }

  std::int64_t whole(const Expression& expression, std::string_view what) {
    const Value v = value(expression);
    constexpr double kMost = 9e18;
    if (v.kind == Value::Kind::kReal && std::abs(v.real) < kMost && v.real == std::floor(v.real))
      return static_cast<std::int64_t>(v.real);
    if (!v.is_integer())
      throw Fault{expression.place(), fmt::format("{} is {}, which is no whole number", what, to_string(v))};
    return v.integer;
  }

  void run(const Loop& loop) {
    const std::int64_t iterations = whole(loop.iterations, "iterations");
    if (iterations < 0) throw Fault{loop.iterations.place(), fmt::format("iterations are {}", iterations)};
    if (loop.body.empty()) return;
    for (std::int64_t i = 0; i < iterations; ++i) {
      if (loop.variable) slots_[*loop.variable] = Value::of(i);
      block(loop.body);
    }
  }

  void run(const Runon& runon) {
    for (std::size_t i = 0; i < runon.conditions.size(); ++i)
      if (value(runon.conditions[i]).is_true()) return block(runon.blocks[i]);
  }

  void run(const Serial& serial) {
    if (!serial.machine.empty() && serial.machine != instance_.machine) return;
    Action action;
    action.compute = duration(serial.time);
    action.delays = serial.delays;
    emit(action);
  }

  Duration duration(const Expression& expression) {
    const Value time = value(expression);
    double ps = time.number();
    if (!time.is_time()) {
      if (ps != 0 && instance_.time_unit.ps == 0)
        throw Fault{expression.place(), fmt::format("time is {}, which has no unit", to_string(time)),
                    "write it as 3.24ms, or say with --time-unit ms what all such times are in"};
      ps *= static_cast<double>(instance_.time_unit.ps);
    }
    constexpr double kMost = 9e18;
    if (ps < 0) throw Fault{expression.place(), fmt::format("time is {}, which is below zero", to_string(time))};
    if (ps > kMost) throw Fault{expression.place(), "time is more than a replay can hold (106 days)"};
    return {std::llround(ps)};
  }

  void run(const Message& message) {
    Action action;
    if (message[Attribute::kLeast]) action.compute = duration(*message[Attribute::kLeast]);
    action.message = &message;
    const OpKind kind = message.type->kind;
    action.tag = tag(message, Attribute::kTag, 0);
    action.receive_tag = tag(message, Attribute::kReceiveTag, action.tag);
    action.size = amount(message, Attribute::kSize, 0);
    action.receive_size = amount(message, Attribute::kReceiveSize, action.size);
    action.offset = amount(message, Attribute::kOffset, 0);
    action.displacement = amount(message, Attribute::kDisplacement, 0);
    if (message[Attribute::kRoot]) action.root = rank(*message[Attribute::kRoot], "root");
    const bool sends = kind == OpKind::kSend || kind == OpKind::kIsend;
    if (sends) require_self(message, Attribute::kFrom);
    if (!sends && kind != OpKind::kSendrecv) require_self(message, Attribute::kTo);
    if (sends || kind == OpKind::kSendrecv) action.to = peer(message, Attribute::kTo);
    if (!sends && message[Attribute::kFrom]) {
      action.from_any = kind != OpKind::kSendrecv && kind != OpKind::kProbe && is_any(message);
      if (!action.from_any) action.from = peer(message, Attribute::kFrom);
    }
    emit(action);
  }

  void emit(Action& action) {
    action.place = place_;
    if (++actions_ > limits_.actions)
      throw TooMuch{{place_, fmt::format("a process does more than {} things", limits_.actions),
                     "fewer iterations tell as much"}};
    visit_(action);
  }

  bool is_any(const Message& message) { return whole(*message[Attribute::kFrom], "from") == kAnyRank; }

  std::int32_t tag(const Message& message, Attribute attribute, std::int32_t otherwise) {
    if (!message[attribute]) return otherwise;
    const std::int64_t number = whole(*message[attribute], name_of(attribute));
    if (number < 0 || number > std::numeric_limits<std::int32_t>::max())
      throw Fault{message[attribute]->place(), fmt::format("{} is {}", name_of(attribute), number),
                  "tags go from 0 to 2147483647; a receive names the one that it takes"};
    return static_cast<std::int32_t>(number);
  }

  std::uint64_t amount(const Message& message, Attribute attribute, std::uint64_t otherwise) {
    if (!message[attribute]) return otherwise;
    const std::int64_t number = whole(*message[attribute], name_of(attribute));
    constexpr std::int64_t kMost = std::int64_t{1} << 50;
    if (number < 0 || number > kMost)
      throw Fault{message[attribute]->place(), fmt::format("{} is {} bytes", name_of(attribute), number)};
    return static_cast<std::uint64_t>(number);
  }

  // A rank of the world.
  std::int32_t rank(const Expression& expression, std::string_view what) {
    const std::int64_t number = whole(expression, what);
    if (number == kAnyRank) throw Fault{expression.place(), fmt::format("{} cannot be any", what), "name a rank"};
    if (number < 0 || number >= instance_.numprocs)
      throw Fault{expression.place(),
                  fmt::format("{} is {}, but ranks go from 0 to {}", what, number, instance_.numprocs - 1),
                  "guard it with Runon, or ask for another number of ranks", false};
    return static_cast<std::int32_t>(number);
  }

  std::int32_t peer(const Message& message, Attribute attribute) {
    const Expression& expression = *message[attribute];
    if (whole(expression, name_of(attribute)) == kNobody) return kNoPeer;
    try {
      return rank(expression, fmt::format("{} of {}", name_of(attribute), message.type->name));
    } catch (Fault& fault) {
      fault.has_partner = fault.has_partner || message.type->kind == OpKind::kSendrecv;  // its other half
      throw;
    }
  }

  void require_self(const Message& message, Attribute attribute) {
    if (!message[attribute]) return;
    const std::int64_t number = whole(*message[attribute], name_of(attribute));
    if (number != rank_)
      throw Fault{message[attribute]->place(),
                  fmt::format("{} of {} is {}, but it is rank {} that runs it", name_of(attribute), message.type->name,
                              number, rank_),
                  "guard it with Runon, or leave it out: it is the rank itself"};
  }

  const Instance& instance_;
  const std::uint32_t rank_;
  Faults& faults_;
  const std::function<void(const Action&)>& visit_;
  const UnrollLimits limits_;
  std::vector<Value> slots_;
  std::unordered_map<const Expression*, Value> known_;
  std::unordered_set<const Statement*> failed_;  // told, and not run again
  Place place_;
  std::uint64_t actions_ = 0, steps_ = 0;
};

}  // namespace

void unroll(const Instance& instance, std::uint32_t rank, Faults& faults,
            const std::function<void(const Action&)>& visit, const UnrollLimits& limits) {
  Unroller(instance, rank, faults, visit, limits).run();
}

}  // namespace plumbline::replay::model
