#include "replay/model/language/message_directive.hpp"

#include <fmt/format.h>

#include <map>

#include "tracer/archive/layout/layout.hpp"

namespace plumbline::replay::model {
namespace {

using Places = std::map<Attribute, Place>;

const MessageType* type_at(TokenCursor& cursor) {
  constexpr const char* kHint = "docs/reference/model-language.md lists the types";
  if (cursor.at_end_of_directive()) cursor.refuse_word("type of the message", kHint);
  const Token& name = cursor.token();
  const MessageType* const found = cursor.is_name() ? message_type(name.text) : nullptr;
  if (found == nullptr) throw Fault{name.place, fmt::format("no message is of the type '{}'", name.text), kHint};
  ++cursor.at;
  return found;
}

std::string known_attributes() {
  std::string names = "it has type";
  for (std::size_t i = 0; i < kAttributes; ++i) names += fmt::format(", {}", name_of(static_cast<Attribute>(i)));
  return names;
}

std::string view_at(TokenCursor& cursor) {
  const Place place = cursor.token().place;
  std::string view = cursor.word_or_string("view of a file");
  const std::optional<archive::Layout> layout = archive::parse_layout(view);
  if (!layout || layout->opaque || layout->size == 0)
    throw Fault{place, fmt::format("'{}' is no view of a file", view),
                "write bytes and pieces of what repeats, for example \"disp=0 extent=4096 size=1024: 8x128@0/512\""};
  return view;
}

void take_value(TokenCursor& cursor, Attribute attribute, Message& message) {
  if (attribute == Attribute::kFile)
    message.file = cursor.word_or_string("name of a file");
  else if (attribute == Attribute::kView)
    message.view = view_at(cursor);
  else if (attribute == Attribute::kRequest)
    message.request = cursor.word_or_string("name of a request");
  else
    message.values[static_cast<std::size_t>(attribute)] = cursor.expression();
}

void check(const Message& message, const Places& places, Place place) {
  if (message.type == nullptr) throw Fault{place, "Message has no type", "write Message type = MPI_Send"};
  const MessageType& type = *message.type;
  for (std::size_t i = 0; i < kAttributes; ++i) {
    const auto attribute = static_cast<Attribute>(i);
    const std::string_view name = name_of(attribute);
    const auto given = places.find(attribute);
    if (contains(type.required, attribute) && given == places.end())
      throw Fault{place, fmt::format("{} has no '{}'", type.name, name), fmt::format("write & {} = ..", name)};
    if (given != places.end() && attribute != Attribute::kLeast && !contains(type.required | type.optional, attribute))
      throw Fault{given->second, fmt::format("{} has no attribute '{}'", type.name, name), "leave it out"};
  }
}

}  // namespace

Message parse_message(TokenCursor& cursor, Place place) {
  Message message;
  Places places;
  while (!cursor.at_end_of_directive()) {
    const Place where = cursor.token().place;
    const std::string_view name = cursor.attribute_name();
    cursor.equals(name);
    if (name == "type") {
      if (message.type != nullptr) throw_given_twice(where, name);
      message.type = type_at(cursor);
      continue;
    }
    const std::optional<Attribute> attribute = attribute_called(name);
    if (!attribute) throw Fault{where, fmt::format("Message has no attribute '{}'", name), known_attributes()};
    if (!places.try_emplace(*attribute, where).second) throw_given_twice(where, name);
    take_value(cursor, *attribute, message);
  }
  check(message, places, place);
  return message;
}

}  // namespace plumbline::replay::model
