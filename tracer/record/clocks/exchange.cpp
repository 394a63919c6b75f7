#include "tracer/record/clocks/exchange.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <limits>
#include <thread>

namespace plumbline::record {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kTokenBytes = 32;
constexpr std::int64_t kNotWorth = 20;  // a gain of less than a twentieth is none
using Question = std::array<char, 8>;
using Answer = std::array<std::int64_t, 2>;  // taken, answered

std::string random_token() {
  std::array<unsigned char, kTokenBytes / 2> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw boost::system::system_error(errno, boost::system::system_category(), "getrandom");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// Asio's sockets would be inherited by the program that is started next.
template <class Socket>
void keep_to_ourselves(Socket& socket) {
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

std::optional<asio::ip::address> address_of(const ifaddrs& interface) {
  if (interface.ifa_addr == nullptr || (interface.ifa_flags & IFF_UP) == 0) return {};
  if (interface.ifa_addr->sa_family == AF_INET) {
    const auto* in = reinterpret_cast<const sockaddr_in*>(interface.ifa_addr);
    return asio::ip::address_v4(ntohl(in->sin_addr.s_addr));
  }
  if (interface.ifa_addr->sa_family != AF_INET6) return {};
  asio::ip::address_v6::bytes_type bytes;
  std::copy_n(reinterpret_cast<const sockaddr_in6*>(interface.ifa_addr)->sin6_addr.s6_addr, bytes.size(),
              bytes.begin());
  const asio::ip::address_v6 address(bytes);
  if (address.is_link_local()) return {};  // means nothing without the name of an interface
  return address;
}

// Loopback only where there is nothing else.
std::vector<std::string> own_addresses() {
  std::vector<std::string> found, loopback;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return {"127.0.0.1"};
  for (const ifaddrs* interface = first; interface != nullptr; interface = interface->ifa_next)
    if (const auto address = address_of(*interface))
      (address->is_loopback() ? loopback : found).push_back(address->to_string());
  freeifaddrs(first);
  return found.empty() ? loopback : found;
}

void listen(tcp::acceptor& acceptor) {
  error_code no_v6;
  acceptor.open(tcp::v6(), no_v6);
  if (!no_v6) acceptor.set_option(asio::ip::v6_only(false), no_v6);
  if (!no_v6) acceptor.bind({tcp::v6(), 0}, no_v6);
  if (no_v6) {
    error_code ignored;
    acceptor.close(ignored);
    acceptor.open(tcp::v4());
    acceptor.bind({tcp::v4(), 0});
  }
  keep_to_ourselves(acceptor);
  acceptor.listen();
}

}  // namespace

// ---- Server

struct ClockServer::Service {
  // One client. Lives as long as something is outstanding on its socket.
  struct Guest : std::enable_shared_from_this<Guest> {
    Guest(Service& host, tcp::socket from) : service(host), socket(std::move(from)) { ++service.guests; }
    ~Guest() {
      if (--service.guests == 0 && service.finishing && !service.io.stopped()) service.io.stop();
    }
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

    void greet() {
      asio::async_read(socket, asio::buffer(token), [self = shared_from_this()](error_code fault, std::size_t) {
        if (!fault && std::equal(self->token.begin(), self->token.end(), self->service.address.token.begin()))
          self->serve();
      });
    }
    void serve() {
      asio::async_read(socket, asio::buffer(question), [self = shared_from_this()](error_code fault, std::size_t) {
        const std::int64_t taken = self->service.now();
        if (!fault) self->reply(taken);
      });
    }
    void reply(std::int64_t taken) {
      answer = {taken, service.now()};
      asio::async_write(socket, asio::buffer(answer), [self = shared_from_this()](error_code fault, std::size_t) {
        if (!fault) self->serve();
      });
    }

    Service& service;
    tcp::socket socket;
    std::array<char, kTokenBytes> token{};
    Question question{};
    Answer answer{};
  };

  void accept() {
    acceptor.async_accept([this](error_code fault, tcp::socket socket) {
      if (fault == asio::error::operation_aborted) return;
      if (!fault) {
        error_code ignored;
        keep_to_ourselves(socket);
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Guest>(*this, std::move(socket))->greet();
      }
      accept();
    });
  }

  // In the server's thread.
  void finish(std::chrono::milliseconds patience) {
    finishing = true;
    if (guests == 0) return io.stop();
    timer.expires_after(patience);
    timer.async_wait([this](error_code) { io.stop(); });
  }

  Now now;
  ClockAddress address;
  std::size_t guests = 0;
  bool finishing = false;
  std::thread thread;
  asio::io_context io{1};  // last: guests that it still holds look at the others when it goes
  tcp::acceptor acceptor{io};
  asio::steady_timer timer{io};
};

ClockServer::ClockServer(Now now) : service_(std::make_unique<Service>()) {
  service_->now = std::move(now);
  listen(service_->acceptor);
  service_->address = {own_addresses(), service_->acceptor.local_endpoint().port(), random_token()};
}

ClockServer::~ClockServer() { finish(std::chrono::milliseconds(0)); }

const ClockAddress& ClockServer::address() const { return service_->address; }

void ClockServer::start() {
  service_->accept();
  service_->thread = std::thread([this] { service_->io.run(); });
}

void ClockServer::finish(std::chrono::milliseconds patience) {
  if (!service_->thread.joinable()) return;
  asio::post(service_->io, [this, patience] { service_->finish(patience); });
  service_->thread.join();
}

// ---- Client

struct ClockClient::Connection {
  Now now;
  asio::io_context io{1};
  tcp::socket socket{io};

  // Runs what was started on the socket; false when it failed or took too long.
  bool wait(const error_code& result, std::chrono::milliseconds patience) {
    io.restart();
    io.run_for(patience);
    if (!io.stopped()) {
      close();
      io.run();  // lets the handler of what was given up go
      return false;
    }
    return !result;
  }

  bool connect(const tcp::endpoint& endpoint, std::chrono::milliseconds patience) {
    error_code result;
    socket.open(endpoint.protocol(), result);
    if (result) return false;
    keep_to_ourselves(socket);
    socket.async_connect(endpoint, [&](error_code fault) { result = fault; });
    if (!wait(result, patience)) return false;
    socket.set_option(tcp::no_delay(true), result);
    return true;
  }

  void close() {
    error_code ignored;
    socket.close(ignored);
  }
};

ClockClient::ClockClient(Now now) : connection_(std::make_unique<Connection>()) { connection_->now = std::move(now); }
ClockClient::~ClockClient() = default;

bool ClockClient::connect(const ClockAddress& server, std::chrono::milliseconds patience) {
  const auto deadline = SteadyClock::now() + patience;
  std::size_t left = server.addresses.size();
  for (const std::string& text : server.addresses) {
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
    const std::chrono::milliseconds share =
        rest / static_cast<int>(left--);  // an address that nobody answers must not use it up
    error_code fault;
    const auto address = asio::ip::make_address(text, fault);
    if (fault || share.count() <= 0 || !connection_->connect({address, server.port}, share)) {
      connection_->close();
      continue;
    }
    asio::write(connection_->socket, asio::buffer(server.token), fault);
    if (!fault && exchange(share)) return true;
    connection_->close();
  }
  return false;
}

bool ClockClient::connected() const { return connection_->socket.is_open(); }

std::optional<clocks::Exchange> ClockClient::exchange(std::chrono::milliseconds patience) {
  tcp::socket& socket = connection_->socket;
  if (!socket.is_open()) return {};
  Question question{};
  Answer answer{};
  clocks::Exchange result;
  error_code fault;
  result.sent = connection_->now();
  asio::write(socket, asio::buffer(question), fault);
  asio::async_read(socket, asio::buffer(answer), [&](error_code failure, std::size_t) {
    result.received = connection_->now();
    fault = failure;
  });
  if (!connection_->wait(fault, patience)) {
    connection_->close();
    return {};
  }
  result.taken = answer[0];
  result.answered = answer[1];
  return result;
}

clocks::Burst exchange_repeatedly(const std::function<std::optional<clocks::Exchange>()>& exchange,
                                  const Effort& effort) {
  const auto deadline = SteadyClock::now() + effort.patience;
  clocks::Burst burst;
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  clocks::Bounds bounds = clocks::bounds_of({});
  std::size_t in_vain = 0;
  while (burst.size() < effort.most && in_vain < effort.in_vain && SteadyClock::now() < deadline) {
    const auto next = exchange();
    if (!next) break;
    burst.push_back(*next);
    const clocks::Bounds own = clocks::bounds_of({*next});
    bounds = {std::max(bounds.lower, own.lower), std::min(bounds.upper, own.upper)};
    if (bounds.half_width() <= effort.target_ns && burst.size() >= effort.least) break;
    const bool closer = bounds.half_width() < best - best / kNotWorth;
    in_vain = closer ? 0 : in_vain + 1;
    if (closer) best = bounds.half_width();
  }
  return burst;
}

}  // namespace plumbline::record
