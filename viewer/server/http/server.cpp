#include "viewer/server/http/server.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <utility>

#include "base/error.hpp"
#include "viewer/server/http/session.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::chrono::milliseconds kLookAtChild{100};  // how often, while one runs
constexpr std::chrono::milliseconds kAfterNoDescriptor{250};

[[noreturn]] void cannot_listen(const std::string& address, std::uint16_t port,
                                const boost::system::error_code& error) {
  const std::string where = fmt::format("{}:{}", address, port);
  if (error == asio::error::address_in_use)
    throw Error(where, "is in use", "another port, or none with --port, which takes a free one",
                ExitCode::kCannotRunHere);
  if (error == asio::error::access_denied)
    throw Error(where, "may not be used", "a port from 1024 on", ExitCode::kCannotRunHere);
  throw Error(where, fmt::format("cannot be listened on: {}", error.message()), "--bind takes an address of this host",
              ExitCode::kCannotRunHere);
}

}  // namespace

struct Server::State {
  Sessions sessions;  // outlives the connections, which go with the context
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::steady_timer child_timer{io}, accept_timer{io};
  asio::signal_set signals{io};
  bool looks_at_child = false;

  void listen(const std::string& address, std::uint16_t port) {
    boost::system::error_code error;
    const asio::ip::address parsed = asio::ip::make_address(address, error);
    if (error)
      throw Error("--bind", fmt::format("'{}' is no address", address), "for example 127.0.0.1, 0.0.0.0 or ::1",
                  ExitCode::kWrongUse);
    const tcp::endpoint endpoint(parsed, port);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) cannot_listen(address, port, error);
  }

  void accept() {
    acceptor.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error) begin_session(std::move(socket), sessions);
      if (!error || error == asio::error::connection_aborted) return accept();
      // No descriptor is left: some of those in use will be given back.
      accept_timer.expires_after(kAfterNoDescriptor);
      accept_timer.async_wait([this](const boost::system::error_code& ended) {
        if (!ended) accept();
      });
    });
  }

  // While a what-if is under way, so that the next one begins when it is done, whoever asks.
  void look_at_child() {
    Opened* const opened = sessions.site->opened;
    if (looks_at_child || opened == nullptr || opened->what_ifs == nullptr || !opened->what_ifs->is_busy()) return;
    looks_at_child = true;
    child_timer.expires_after(kLookAtChild);
    child_timer.async_wait([this, opened](const boost::system::error_code& ended) {
      looks_at_child = false;
      if (ended) return;
      opened->what_ifs->poll();
      look_at_child();
    });
  }
};

Server::Server(const std::string& address, std::uint16_t port, const ServerLimits& limits)
    : state_(std::make_unique<State>()) {
  state_->sessions.limits = limits;
  state_->listen(address, port);
}

Server::~Server() = default;

std::uint16_t Server::port() const { return state_->acceptor.local_endpoint().port(); }

std::string Server::address() const { return state_->acceptor.local_endpoint().address().to_string(); }

void Server::serve(const Site& site) {
  state_->sessions.site = &site;
  state_->sessions.after_answer = [state = state_.get()] { state->look_at_child(); };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) state_->signals.add(signal);
  state_->signals.async_wait([this](const boost::system::error_code& ended, int) {
    if (!ended) state_->io.stop();
  });
  state_->accept();
  state_->io.run();
}

void Server::stop() {
  asio::post(state_->io, [this] { state_->io.stop(); });
}

}  // namespace plumbline::viewer
