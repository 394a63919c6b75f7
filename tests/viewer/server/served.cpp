#include "served.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

namespace plumbline::viewer {

Served::Served(Opened* opened, const ServerLimits& limits) : server_("127.0.0.1", 0, limits) {
  site_ = {guard_for("127.0.0.1", server_.port(), "", random_token()), embedded_page({}), opened};
  thread_ = std::thread([this] { server_.serve(site_); });
}

Served::~Served() {
  server_.stop();
  thread_.join();
}

std::string Served::request(const std::string& method, const std::string& target, const std::string& headers,
                            const std::string& body) const {
  const std::string length = body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return method + " " + target + " HTTP/1.1\r\n" + host() + authorization() + headers + length + "\r\n" + body;
}

Client::Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience{20, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) ::perror("connect");
}

Client::~Client() { ::close(socket_); }

bool Client::send(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t taken = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (taken <= 0) return false;
    sent += static_cast<std::size_t>(taken);
  }
  return true;
}

void Client::end_sending() { ::shutdown(socket_, SHUT_WR); }

std::string Client::read_some() {
  std::array<char, 16'384> piece{};
  const ssize_t bytes = ::recv(socket_, piece.data(), piece.size(), 0);
  return bytes > 0 ? std::string(piece.data(), static_cast<std::size_t>(bytes)) : "";
}

std::string Client::read_all() {
  std::string all = std::exchange(left_, "");
  for (std::string some = read_some(); !some.empty(); some = read_some()) all += some;
  return all;
}

std::string Client::read_response() {
  std::string all = std::exchange(left_, "");
  std::size_t head = 0;
  while ((head = all.find("\r\n\r\n")) == std::string::npos) {
    const std::string some = read_some();
    if (some.empty()) return all;
    all += some;
  }
  const std::size_t field = all.find("Content-Length: ");
  const std::size_t length = field < head ? std::stoul(all.substr(field + 16)) : 0;
  while (all.size() < head + 4 + length) {
    const std::string some = read_some();
    if (some.empty()) return all;
    all += some;
  }
  left_ = all.substr(head + 4 + length);
  all.resize(head + 4 + length);
  return all;
}

bool Client::is_closed() {
  char byte = 0;
  return ::recv(socket_, &byte, 1, 0) == 0;
}

std::string exchange(std::uint16_t port, const std::string& bytes) {
  Client client(port);
  client.send(bytes);
  client.end_sending();
  return client.read_all();
}

unsigned status_in(const std::string& response) {
  unsigned status = 0;
  return std::sscanf(response.c_str(), "HTTP/1.%*1u %3u ", &status) == 1 ? status : 0;
}

}  // namespace plumbline::viewer
