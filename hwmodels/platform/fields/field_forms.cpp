#include "hwmodels/platform/fields/field_forms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <optional>

#include "base/check.hpp"
#include "base/quantity.hpp"
#include "hwmodels/platform/fields/storage_fields.hpp"

namespace plumbline::hw {
namespace {

struct Kind {
  std::string words;   // "parameter: rate"
  std::string schema;  // what is within <attribute>
  bool is_parameter = false;
  std::string otherwise = {};  // the default
};

std::string reference(const char* name) { return fmt::format("<ref name=\"{}\"/>", name); }

Kind kind_of(const Parameter<Duration>&) { return {"parameter: duration", reference("duration"), true}; }
Kind kind_of(const Parameter<BytesPerSecond>&) { return {"parameter: rate", reference("rate"), true}; }
Kind kind_of(const Parameter<Bytes>&) { return {"parameter: bytes", reference("bytes"), true, "0B"}; }
template <class T>
Kind kind_of(const std::optional<Parameter<T>>&) {
  return kind_of(Parameter<T>{});
}
Kind kind_of(const Bytes& value) { return {"", reference("bytes"), false, format_exact(value)}; }
Kind kind_of(const std::optional<Bytes>&) { return {"bytes", reference("bytes")}; }
Kind kind_of(const std::uint32_t& count) {
  return {"", "<data type=\"positiveInteger\"/>", false, fmt::format("{}", count)};
}
Kind kind_of(CountOrAll<const std::uint32_t>) { return {"default: all", "<data type=\"positiveInteger\"/>"}; }
Kind kind_of(Bounded<const double> number) {
  return {fmt::format("{} to {}", number.least, number.most), "<data type=\"decimal\"/>", false,
          fmt::format("{}", number.value)};
}
template <class T, class Words>
Kind kind_of(Worded<T, Words> word) {
  std::string schema = "<choice>";
  for (const auto& each : word.words) schema += fmt::format("<value>{}</value>", each.word);
  const std::string all = fmt::format("`{}`", fmt::join(all_words(word.words), "`, `"));
  return {all, schema + "</choice>", false, std::string(word_of(word.value, word.words))};
}

template <class Part, class... Context>
void visit(const Part& part, std::string& text, std::string (*form)(const Field&, const Kind&), Context... context) {
  fields(part, context..., [&](const Field& field, const auto& value) { text += form(field, kind_of(value)); });
}

std::string attribute(const std::string& name, const std::string& within, int depth) {
  const std::string pad(static_cast<std::size_t>(depth) * 2, ' ');
  return within.empty() ? fmt::format("{}<attribute name=\"{}\"/>\n", pad, name)
                        : fmt::format("{0}<attribute name=\"{1}\">{2}</attribute>\n", pad, name, within);
}

std::string schema_row(const Field& field, const Kind& kind) {
  const bool required = field.presence == Presence::kRequired;
  const std::string name = field.name;
  if (!kind.is_parameter) {
    if (required) return attribute(name, kind.schema, 2);
    return "    <optional>\n" + attribute(name, kind.schema, 3) + "    </optional>\n";
  }
  const int depth = required ? 2 : 4;
  const std::string pad(static_cast<std::size_t>(depth) * 2, ' ');
  std::string text = attribute(name, kind.schema, depth);
  text += pad + "<optional>\n" + attribute(name + "-spread", reference("fraction"), depth + 1) + pad + "</optional>\n";
  text += pad + "<optional>\n" + attribute(name + "-source", "", depth + 1) + pad + "</optional>\n";
  return required ? text : "    <optional>\n      <group>\n" + text + "      </group>\n    </optional>\n";
}

std::string table_row(const Field& field, const Kind& kind) {
  std::vector<std::string> notes;
  if (field.presence == Presence::kRequired) notes.emplace_back("required");
  if (!kind.words.empty()) notes.push_back(kind.words);
  if (field.presence != Presence::kRequired && !kind.otherwise.empty())
    notes.push_back(fmt::format("default `{}`", kind.otherwise));
  return fmt::format("| `{}` | {} | {} |\n", field.name, fmt::join(notes, "; "), field.meaning);
}

using Form = std::string (*)(const Field&, const Kind&);

struct Described {
  const char* name;
  std::string (*form)(Form);
};

template <class Part>
std::string all_of(Form form) {
  std::string text;
  visit(Part{}, text, form);
  return text;
}

std::string of_node(Form form) {
  std::string text;
  visit(Node{}, text, form, false);
  return text;
}

// What one of the networks does without is not required.
std::string of_range(Form form) {
  std::string text;
  visit(MessageRange{}, text, form, NetworkKind::kSampled);
  return text;
}

std::string of_metadata_server(Form form) {
  std::string text;
  const Distribution distribution;
  metadata_fields(distribution, [&](const Field& field, const auto& value) { text += form(field, kind_of(value)); });
  return text;
}

constexpr std::array<Described, 17> kParts{{{"node", of_node},
                                            {"sockets", all_of<Sockets>},
                                            {"noise", all_of<Noise>},
                                            {"switch", all_of<Switch>},
                                            {"edge", all_of<Edge>},
                                            {"packets", all_of<Packets>},
                                            {"transport", all_of<Transport>},
                                            {"range", of_range},
                                            {"access", all_of<AccessCost>},
                                            {"metadata", all_of<FileSystem>},
                                            {"distribution", all_of<Distribution>},
                                            {"distribution-metadata", of_metadata_server},
                                            {"server", all_of<Server>},
                                            {"disk", all_of<HardDisk>},
                                            {"flash", all_of<Flash>},
                                            {"device", all_of<SimpleDevice>},
                                            {"cache", all_of<ServerCache>}}};

const Described& described(std::string_view part) {
  for (const Described& each : kParts)
    if (each.name == part) return each;
  PLUMBLINE_CHECK(false, "a part that fields() describes");
  return kParts.front();
}

}  // namespace

std::vector<std::string> described_parts() {
  std::vector<std::string> names;
  for (const Described& each : kParts) names.emplace_back(each.name);
  return names;
}

std::string schema_of(std::string_view part) {
  return fmt::format("  <define name=\"{}-fields\">\n{}  </define>\n", part, described(part).form(schema_row));
}

std::string table_of(std::string_view part) { return described(part).form(table_row); }

}  // namespace plumbline::hw
