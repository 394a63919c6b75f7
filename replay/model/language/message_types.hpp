#pragma once
// What a Message may be: the names of MPI, the operation that each one is, and the attributes that it takes.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "replay/program/program.hpp"

namespace plumbline::replay::model {

enum class Attribute : std::uint8_t {
  kSize,
  kFrom,
  kTo,
  kTag,
  kRoot,
  kReceiveSize,  // what a Sendrecv receives, where that differs
  kReceiveTag,
  kOffset,
  kDisplacement,  // of the view
  kLeast,         // that the call takes; of every type
  kFile,
  kView,
  kRequest,
};
inline constexpr std::size_t kAttributes = 13, kExpressions = 10;  // the first ones are expressions

std::string_view name_of(Attribute attribute);
std::optional<Attribute> attribute_called(std::string_view name);

using AttributeSet = std::uint32_t;
constexpr AttributeSet set_of(std::initializer_list<Attribute> attributes) {
  AttributeSet set = 0;
  for (const Attribute attribute : attributes) set |= 1U << static_cast<unsigned>(attribute);
  return set;
}
constexpr bool contains(AttributeSet set, Attribute attribute) {
  return (set >> static_cast<unsigned>(attribute) & 1U) != 0;
}

struct MessageType {
  std::string_view name;
  OpKind kind = OpKind::kSend;
  std::uint8_t flags = 0;  // enum OpFlags
  AttributeSet required = 0, optional = 0;
  Collective collective = Collective::kBarrier;
  bool waits_for_all = false;  // kWait
};

std::span<const MessageType> message_types();
const MessageType* message_type(std::string_view name);  // null: there is none; letters may be of either case

}  // namespace plumbline::replay::model
