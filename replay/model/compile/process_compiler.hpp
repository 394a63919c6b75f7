#pragma once
// The actions of one process as operations of a program.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "replay/model/compile/file_views.hpp"
#include "replay/model/compile/layout.hpp"
#include "replay/model/compile/unroll.hpp"
#include "replay/program/program.hpp"
#include "replay/program/request_slots.hpp"

namespace plumbline::replay::model {

// Names of calls and places, which all processes share.
class SharedNames {
 public:
  SharedNames(ProgramBuilder& builder, const Model& model, const Faults& faults)
      : views(builder, model), builder_(builder), faults_(faults) {}

  std::uint16_t call(const MessageType& type);
  std::uint32_t site(Place place);
  std::uint32_t file(const Message& message);

  FileViews views;

 private:
  ProgramBuilder& builder_;
  const Faults& faults_;
  std::unordered_map<const MessageType*, std::uint16_t> calls_;
  std::map<Place, std::uint32_t> sites_;
  std::unordered_map<const Message*, std::uint32_t> files_;
};

class ProcessCompiler {
 public:
  ProcessCompiler(ProgramBuilder& builder, SharedNames& names, const Instance& instance, const Layout& layout,
                  std::uint32_t rank, Faults& faults)
      : builder_(builder), names_(names), instance_(instance), layout_(layout), rank_(rank), faults_(faults) {}

  void take(const Action& action);
  void finish();  // the last computation, and requests that nobody waits for
  std::uint32_t request_slots() const { return slots_.count(); }

 private:
  struct Outstanding {
    std::uint32_t slot = 0;
    Place place;
    bool from_any = false;
    std::int32_t tag = 0;
  };

  void delay(const Action& action);
  void fill(Operation& op, const Action& action);
  void message(Operation& op, const Action& action);
  void compute(const Action& action);
  void require_measured(const Action& action, std::int32_t peer, std::uint64_t bytes);
  void require_measured(const Action& action, std::uint64_t largest, std::uint64_t bytes);
  void collective(Operation& op, const Action& action);
  void access(Operation& op, const Action& action);
  void wait(Operation& op, const Action& action);
  std::uint32_t start(const Action& action);
  void refuse_overtaken_wildcard(const Action& action, std::int32_t tag);
  void forget(const Outstanding& request);
  void add(const Operation& op, Duration least = {});
  bool fits(const Action& action);
  void add_mark(std::string_view call);
  void fault(Place place, std::string_view kind, std::string what, std::string hint);

  ProgramBuilder& builder_;
  SharedNames& names_;
  const Instance& instance_;
  const Layout& layout_;
  const std::uint32_t rank_;
  Faults& faults_;
  Time now_;
  bool computed_ = false;  // since the last operation
  RequestSlots slots_;
  std::map<std::string, std::deque<Outstanding>, std::less<>> requests_;   // by name
  std::map<std::int32_t, std::map<std::uint32_t, Place>> open_wildcards_;  // receives from any, by tag and slot
};

}  // namespace plumbline::replay::model
