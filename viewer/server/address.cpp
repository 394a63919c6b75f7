#include "viewer/server/address.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::viewer {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char encoded_char(std::string_view text, std::size_t at) {
  const int high = at + 2 < text.size() ? digit_of(text[at + 1]) : -1;
  const int low = at + 2 < text.size() ? digit_of(text[at + 2]) : -1;
  if (high < 0 || low < 0) throw BadRequest{400, "'%' is not followed by two hexadecimal digits"};
  return static_cast<char>(high * 16 + low);
}

std::string decoded(std::string_view text, bool plus_is_blank) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '+' && plus_is_blank) c = ' ';
    if (c == '%') {
      c = encoded_char(text, i);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) throw BadRequest{400, "the address has a control character"};
    result += c;
  }
  return result;
}

// The text up to `separator`, which is taken away with it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return head;
}

void add_values(std::string_view text, Query& query) {
  while (!text.empty()) {
    std::string_view pair = take(text, '&');
    if (pair.empty()) continue;
    const std::string name = decoded(take(pair, '='), true);
    if (query.values.size() == kMostValues) throw BadRequest{400, "the address has too many values"};
    if (!query.values.try_emplace(name, decoded(pair, true)).second)
      throw BadRequest{400, "'" + name + "' is given twice"};
  }
}

}  // namespace

Address parse_address(std::string_view target) {
  if (!target.starts_with('/')) throw BadRequest{400, "the address does not begin with a slash"};
  target = target.substr(0, target.find('#'));
  std::string_view path = take(target, '?');
  Address address;
  path.remove_prefix(1);
  while (!path.empty()) {
    if (address.parts.size() == kMostParts) throw BadRequest{404, "there is no such address"};
    address.parts.push_back(decoded(take(path, '/'), false));
  }
  add_values(target, address.query);
  return address;
}

}  // namespace plumbline::viewer
