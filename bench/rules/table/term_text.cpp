#include "bench/rules/table/term_text.hpp"

#include <fmt/format.h>

#include <sstream>

namespace plumbline::bench {
namespace {

constexpr char kForm[] = "a term is as in \"allgather(b)\", \"bcast(p*b)\", \"cart_create\", \"scatter(b) name=value\"";

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string_view::npos;
}

// "allgather(b)"
std::optional<Term> head_of(const std::string& word) {
  const std::size_t open = word.find('(');
  const std::string size = open == std::string::npos ? "" : word.substr(open);
  Term term;
  term.operation = word.substr(0, open);
  if (!is_name(term.operation)) return std::nullopt;
  if (size == "(b)")
    term.size = Term::Size::kBlock;
  else if (size == "(p*b)")
    term.size = Term::Size::kWhole;
  else if (size.empty())
    term.size = Term::Size::kNone;
  else
    return std::nullopt;
  return term;
}

std::string take_place(const std::string& value, Term& term) {
  if (value == "loopback")
    term.place = Place::kThroughLoopback;
  else if (value == "network")
    term.place = Place::kBetweenNodes;
  else
    return fmt::format("there is no place '{}': loopback or network", value);
  return "";
}

// What is wrong with it; empty: nothing.
std::string take_setting(const std::string& word, Term& term) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
    return fmt::format("'{}' is no name=value; {}", word, kForm);
  const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
  if (name == "place") return take_place(value, term);
  if (name == "times") {
    if (value != "pairs") return fmt::format("times={} is not known: times=pairs", value);
    term.times = Term::Times::kPairs;
    return "";
  }
  term.settings += (term.settings.empty() ? "" : " ") + word;
  return "";
}

}  // namespace

std::optional<Term> term_of(std::string_view text, std::string& fault) {
  std::istringstream words{std::string(text)};
  std::string word;
  words >> word;
  std::optional<Term> term = head_of(word);
  if (!term) {
    fault = fmt::format("'{}' is no operation with its size; {}", word, kForm);
    return std::nullopt;
  }
  while (words >> word) {
    fault = take_setting(word, *term);
    if (!fault.empty()) return std::nullopt;
  }
  return term;
}

std::string text_of(const Term& term) {
  constexpr std::string_view kSizes[] = {"(b)", "(p*b)", ""};
  constexpr std::string_view kPlaces[] = {"", " place=loopback", " place=network"};
  return fmt::format("{}{}{}{}{}{}", term.operation, kSizes[static_cast<std::size_t>(term.size)],
                     term.settings.empty() ? "" : " ", term.settings, kPlaces[static_cast<std::size_t>(term.place)],
                     term.times == Term::Times::kPairs ? " times=pairs" : "");
}

}  // namespace plumbline::bench
