#include "tests/lab/switch/server.hpp"

#include <sys/stat.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace plumbline::lab {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kLongestRequest = 64 * 1024;
constexpr auto kDrainEvery = std::chrono::milliseconds(20);

// One connection; it lives as long as an operation on it is under way.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Answer = std::function<Reply(std::string_view)>;

  Session(Server::Protocol::socket socket, Answer answer, std::function<void()> at_quit)
      : socket_(std::move(socket)), answer_(std::move(answer)), at_quit_(std::move(at_quit)) {}

  void read() {
    asio::async_read_until(socket_, asio::dynamic_buffer(in_, kLongestRequest), '\n',
                           [self = shared_from_this()](error_code fault, std::size_t size) {
                             if (fault == asio::error::not_found) return self->refuse_length();
                             if (!fault) self->reply(size);
                           });
  }

 private:
  void reply(std::size_t size) {
    const Reply reply = answer_(std::string_view(in_).substr(0, size - 1));
    in_.erase(0, size);
    write(reply.text, [self = shared_from_this(), quit = reply.quit] {
      if (quit) self->at_quit_();
      self->read();
    });
  }

  void refuse_length() {
    write(R"({"ok":false,"error":"the request is longer than 64 KiB"})", [self = shared_from_this()] {});
  }

  template <typename Then>
  void write(const std::string& text, Then then) {
    out_ = text + '\n';
    asio::async_write(socket_, asio::buffer(out_), [self = shared_from_this(), then](error_code fault, std::size_t) {
      if (!fault) then();
    });
  }

  Server::Protocol::socket socket_;
  Answer answer_;
  std::function<void()> at_quit_;
  std::string in_, out_;
};

// A switch that died leaves its socket behind: nobody answers there.
void remove_left_over(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_socket(path, ignored)) return;
  asio::io_context io;
  Server::Protocol::socket probe(io);
  error_code refused;
  probe.connect(path.string(), refused);
  if (!refused) throw Error(path.string(), "a switch answers there", "end it first, or give another \"control\"");
  std::filesystem::remove(path, ignored);
}

}  // namespace

Server::Server(std::filesystem::path path, Control& control, std::function<void()> at_end)
    : path_(std::move(path)), control_(control), at_end_(std::move(at_end)) {
  remove_left_over(path_);
  const mode_t before = ::umask(0077);
  error_code fault;
  acceptor_.open(Protocol(), fault);
  if (!fault) acceptor_.bind(path_.string(), fault);
  ::umask(before);
  if (!fault) acceptor_.listen(asio::socket_base::max_listen_connections, fault);
  if (fault) throw Error(path_.string(), "no control socket: " + fault.message(), "give another \"control\"");
  signals_.async_wait([this](error_code cancelled, int) {
    if (!cancelled) end();
  });
  accept();
}

Server::~Server() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void Server::run() { io_.run(); }

void Server::stop() { io_.stop(); }

void Server::end() {
  io_.stop();
  at_end_();
}

void Server::accept() {
  acceptor_.async_accept([this](error_code fault, Protocol::socket socket) {
    if (fault == asio::error::operation_aborted) return;
    if (!fault)
      std::make_shared<Session>(
          std::move(socket), [this](std::string_view line) { return answer(line); }, [this] { end(); })
          ->read();
    accept();
  });
}

Reply Server::answer(std::string_view line) {
  Reply reply = control_.answer(line);
  if (control_.capturing() && !writing_capture_) write_capture();
  return reply;
}

void Server::write_capture() {
  control_.drain_capture();
  writing_capture_ = control_.capturing();
  if (!writing_capture_) return;
  timer_.expires_after(kDrainEvery);
  timer_.async_wait([this](error_code cancelled) {
    if (!cancelled) write_capture();
  });
}

}  // namespace plumbline::lab
