#include "bench/choose/choices.hpp"

#include <charconv>
#include <locale>
#include <sstream>
#include <utility>

#include "base/error.hpp"

namespace plumbline::bench::choose {
namespace {

constexpr std::string_view kFirstLine = "plumbline choices 1";

// The shortest text that is read as this very number, in any locale.
std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T>
void read(std::istringstream& words, T& value, const std::string& where, const char* what) {
  if (!(words >> value)) throw Error(where, std::string("no ") + what, "delete the file, and let it be measured again");
}

std::size_t collective_called(const std::string& name, const std::string& where) {
  for (std::size_t i = 0; i < kCollectives; ++i)
    if (name_of(static_cast<plumbline_collective>(i)) == name) return i;
  throw Error(where, "'" + name + "' is no collective", "delete the file, and let it be measured again");
}

void read_choice(std::istringstream& words, std::vector<Choice>& choices, const std::string& where) {
  Choice choice;
  read(words, choice.bytes, where, "size");
  read(words, choice.name, where, "name of an implementation");
  read(words, choice.seconds, where, "time");
  read(words, choice.library_seconds, where, "time of the library's");
  if (!choices.empty() && choices.back().bytes >= choice.bytes)
    throw Error(where, "sizes do not ascend", "delete the file, and let it be measured again");
  choices.push_back(std::move(choice));
}

}  // namespace

std::string_view name_of(plumbline_collective collective) { return algorithms::name_of(operation_of(collective)); }

std::string to_text(const Circumstances& circumstances, const Choices& choices) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << kFirstLine << "\nlibrary " << circumstances.library << "\nranks " << circumstances.ranks << "\nnodes "
       << circumstances.nodes
       << "\n# collective, bytes from which on, implementation, seconds of it, of the library's\n";
  for (std::size_t i = 0; i < kCollectives; ++i)
    for (const Choice& each : choices[i])
      text << name_of(static_cast<plumbline_collective>(i)) << ' ' << each.bytes << ' ' << each.name << ' '
           << text_of(each.seconds) << ' ' << text_of(each.library_seconds) << '\n';
  return text.str();
}

ChoicesFile parse_choices(std::string_view text, const std::string& name) {
  ChoicesFile file;
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line) || line != kFirstLine)
    throw Error(name, "begins with no line '" + std::string(kFirstLine) + "'",
                "give the name of another file, or delete it");
  for (int number = 2; std::getline(lines, line); ++number) {
    const std::string where = name + ":" + std::to_string(number);
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string first;
    if (!(words >> first) || first.starts_with('#')) continue;
    if (first == "library") {
      std::getline(words >> std::ws, file.circumstances.library);
    } else if (first == "ranks") {
      read(words, file.circumstances.ranks, where, "number of ranks");
    } else if (first == "nodes") {
      read(words, file.circumstances.nodes, where, "number of nodes");
    } else {
      read_choice(words, file.choices[collective_called(first, where)], where);
    }
  }
  return file;
}

}  // namespace plumbline::bench::choose
