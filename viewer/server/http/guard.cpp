#include "viewer/server/http/guard.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace plumbline::viewer {
namespace {

bool is_any_address(std::string_view address) { return address == "0.0.0.0" || address == "::"; }

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

// "127.0.0.1" or "[::1]": nothing that a name server is asked for.
bool is_literal_address(std::string_view name) {
  if (name.starts_with('[')) return name.ends_with(']') && name.size() > 2;
  const bool digits = std::ranges::all_of(name, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
  return digits && std::ranges::count(name, '.') == 3;
}

// "localhost:8080": the name and the port, which a browser leaves out where it is 80.
bool is_ours(const Guard& guard, std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  const bool has_port = colon != authority.npos && !authority.ends_with(']');
  const std::string_view port = has_port ? authority.substr(colon + 1) : std::string_view("80");
  if (port != std::to_string(guard.port)) return false;
  const std::string name = lower(has_port ? authority.substr(0, colon) : authority);
  if (std::ranges::find(guard.names, name) != guard.names.end()) return true;
  return guard.any_address && is_literal_address(name);
}

bool is_our_origin(const Guard& guard, std::string_view origin) {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && is_ours(guard, origin.substr(kScheme.size()));
}

bool is_method(std::string_view method) {
  constexpr std::array<std::string_view, 4> kMethods{"GET", "HEAD", "POST", "DELETE"};
  return std::ranges::find(kMethods, method) != kMethods.end();
}

bool has_token(const Guard& guard, const RequestHead& head) {
  constexpr std::string_view kScheme = "bearer ";
  if (guard.token.empty() || !head.authorization || head.authorization->size() < kScheme.size()) return false;
  const std::string_view value = *head.authorization;
  return lower(value.substr(0, kScheme.size())) == kScheme &&
         are_equal_in_constant_time(value.substr(kScheme.size()), guard.token);
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error("", fmt::format("no random numbers for the token: {}", std::strerror(errno)),
                "the system must offer getrandom", ExitCode::kCannotRunHere);
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

Guard guard_for(std::string_view address, std::uint16_t port, std::string_view host_name, std::string token) {
  Guard guard{std::move(token), port, {"localhost", "127.0.0.1", "[::1]"}, is_any_address(address)};
  if (guard.any_address) {
    if (!host_name.empty()) guard.names.push_back(lower(host_name));
  } else {
    guard.names.push_back(address.find(':') == address.npos ? std::string(address) : fmt::format("[{}]", address));
  }
  return guard;
}

bool are_equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return difference == 0;
}

bool is_of_page(std::string_view target) {
  if (!target.starts_with('/')) return false;
  const std::string_view name = target.substr(1, target.find('?') - 1);
  if (name.starts_with('.')) return false;
  return std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
           c == '_';
  });
}

std::optional<Refusal> refusal_of(const Guard& guard, const RequestHead& head) {
  if (!head.host || !is_ours(guard, *head.host))
    return Refusal{403, fmt::format("this server answers to localhost:{} only; through ssh -L keep the port's number",
                                    guard.port)};
  if (head.origin && !is_our_origin(guard, *head.origin)) return Refusal{403, "another page asks for this one's data"};
  if (!is_method(head.method)) return Refusal{405, "GET, HEAD, POST and DELETE are understood"};
  if (!is_of_page(head.target) && !has_token(guard, head))
    return Refusal{401, "the token is missing or wrong: open the address that plumbline view has printed"};
  return std::nullopt;
}

}  // namespace plumbline::viewer
