#pragma once
// Who may ask: decisions about a request's head as pure functions, without sockets.
//
// The server answers on the loopback, where other users of the machine and every page in the user's own browser can
// reach it. The token keeps out the former; that Host and Origin are our own keeps out pages that were made to resolve
// to the loopback (DNS rebinding) or that post forms to it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::viewer {

struct Guard {
  std::string token;  // 32 hexadecimal digits
  std::uint16_t port = 0;
  std::vector<std::string> names;  // of the host, as a browser writes them: "127.0.0.1", "localhost", "[::1]"
  bool any_address = false;        // bound to all addresses of the host: any literal address may name it
};

// What of a request's head is looked at. No value: the header is not there.
struct RequestHead {
  std::string method, target;
  std::optional<std::string> host = {}, origin = {}, authorization = {};
};

struct Refusal {
  unsigned status;
  std::string text;
};

// 128 bits of the system's random numbers, as hexadecimal digits.
std::string random_token();

// For a server on this address ("127.0.0.1", "0.0.0.0", "::1", as the socket tells it) of a host of this name.
Guard guard_for(std::string_view address, std::uint16_t port, std::string_view host_name, std::string token);

// Whether the address, as it was sent, is that of a file of the page: "/", "/app.js". Everything else is an endpoint.
bool is_of_page(std::string_view target);

// Nothing where the request may pass. Foreign Host or Origin: 403. Another method than GET, HEAD, POST, DELETE: 405.
// Without the token: 401, but for the page itself, which holds nothing.
std::optional<Refusal> refusal_of(const Guard& guard, const RequestHead& head);

// Takes as long wherever they differ.
bool are_equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace plumbline::viewer
