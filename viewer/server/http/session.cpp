#include "viewer/server/http/session.hpp"

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "viewer/server/api.hpp"

namespace plumbline::viewer {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Fields = http::request<http::string_body>;

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

std::optional<std::string> value_of(const Fields& request, http::field name) {
  const auto field = request.find(name);
  return field == request.end() ? std::nullopt : std::optional(text_of(field->value()));
}

Incoming incoming_of(Fields& request) {
  Incoming incoming;
  incoming.head.method = text_of(request.method_string());
  incoming.head.target = text_of(request.target());
  // Twice the same name, and the parts of the software that look at it may see different ones.
  if (request.count(http::field::host) == 1) incoming.head.host = value_of(request, http::field::host);
  incoming.head.origin = value_of(request, http::field::origin);
  incoming.head.authorization = value_of(request, http::field::authorization);
  incoming.accept_encoding = value_of(request, http::field::accept_encoding).value_or("");
  incoming.if_none_match = value_of(request, http::field::if_none_match).value_or("");
  incoming.body = std::move(request.body());
  return incoming;
}

// What is wrong with a request that could not be read; 0: nobody is there to tell it.
unsigned status_of(const beast::error_code& error) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::body_limit) return 413;
  if (error == http::error::end_of_stream || error == http::error::partial_message) return 0;
  return error.category() == http::make_error_code(http::error::bad_method).category() ? 400 : 0;
}

std::string_view reason_of(unsigned status) {
  switch (status) {
    case 413:
      return "the body is too long";
    case 431:
      return "the head of the request is too long";
    case 503:
      return "too many connections: come again";
    default:
      return "this is no HTTP request";
  }
}

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(boost::asio::ip::tcp::socket socket, Sessions& sessions)
      : stream_(std::move(socket)), sessions_(sessions), buffer_(sessions.limits.header_bytes + kReadAhead) {
    ++sessions_.open;
  }
  ~Session() { --sessions_.open; }

  void begin() {
    if (sessions_.open > sessions_.limits.connections)
      refuse(503);
    else
      read();
  }

 private:
  static constexpr std::size_t kReadAhead = 64 << 10;    // bytes of a body that are taken in one go
  static constexpr std::size_t kMostDrained = 16 << 20;  // bytes that nobody wants
  static constexpr std::chrono::milliseconds kLinger{1000};

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(sessions_.limits.header_bytes));
    parser_->body_limit(sessions_.limits.body_bytes);
    stream_.expires_after(sessions_.limits.timeout);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](const beast::error_code& error, std::size_t) { self->take(error); });
  }

  void take(const beast::error_code& error) {
    if (error) {
      const unsigned status = status_of(error);
      if (status == 0) return;
      return refuse(status);
    }
    const bool keep = parser_->get().keep_alive();
    const unsigned version = parser_->get().version();
    const Incoming incoming = incoming_of(parser_->get());
    write(answer(*sessions_.site, incoming), version, keep, incoming.head.method == "HEAD");
    if (sessions_.after_answer) sessions_.after_answer();
  }

  void refuse(unsigned status) {
    const Response response = error_response(status, reason_of(status));
    write({status, {{"Content-Type", response.type}, {"Cache-Control", "no-store"}}, response.body}, 11, false, false);
  }

  void write(Answer answer, unsigned version, bool keep, bool head_only) {
    response_.emplace(static_cast<http::status>(answer.status), version);
    for (const auto& [name, value] : answer.headers) response_->set(name, value);
    response_->keep_alive(keep);
    response_->body() = std::move(answer.body);
    if (answer.status != 304) response_->content_length(response_->body().size());
    serializer_.emplace(*response_);
    stream_.expires_after(sessions_.limits.timeout);
    const auto then = [self = shared_from_this(), keep](const beast::error_code& error, std::size_t) {
      if (error) return;
      if (!keep) return self->close();
      self->read();
    };
    if (head_only)
      http::async_write_header(stream_, *serializer_, then);
    else
      http::async_write(stream_, *serializer_, then);
  }

  // The other side may still be sending what nobody wants: a socket closed now would take the answer away from it.
  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::min(sessions_.limits.timeout, kLinger));
    drain();
  }

  void drain() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(kReadAhead),
                            [self = shared_from_this()](const beast::error_code& error, std::size_t bytes) {
                              self->drained_ += bytes;
                              if (!error && self->drained_ < kMostDrained) self->drain();
                            });
  }

  beast::tcp_stream stream_;
  Sessions& sessions_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::size_t drained_ = 0;
};

}  // namespace

void begin_session(boost::asio::ip::tcp::socket socket, Sessions& sessions) {
  std::make_shared<Session>(std::move(socket), sessions)->begin();
}

}  // namespace plumbline::viewer
