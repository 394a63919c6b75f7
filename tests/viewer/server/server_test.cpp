#include "viewer/server/http/server.hpp"
#include "viewer/server/http/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "opened_world.hpp"
#include "served.hpp"

namespace plumbline::viewer {
namespace {

using testing::HasSubstr;

// Short where something is waited for, long where a slow machine must not be told apart from a slow client.
ServerLimits patient() { return {.timeout = std::chrono::milliseconds(20'000)}; }
ServerLimits hasty() { return {.timeout = std::chrono::milliseconds(100)}; }

class Serving : public testing::Test {
 protected:
  std::string get(const std::string& target, const std::string& headers = "") {
    return exchange(served_.port(), served_.request("GET", target, headers + "Connection: close\r\n"));
  }

  const std::unique_ptr<Opened> opened_ = opened_pair();
  Served served_{opened_.get(), patient()};
};

TEST_F(Serving, AnswersWithThePageAndWithEndpoints) {
  EXPECT_THAT(get("/"), HasSubstr("HTTP/1.1 200 OK"));
  const std::string meta = get("/api/v1/meta");
  EXPECT_THAT(meta, HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(meta, HasSubstr("\"observed\":\"obs\""));
  EXPECT_THAT(meta, HasSubstr("X-Content-Type-Options: nosniff"));
}

TEST_F(Serving, WrongTokenForeignHostAndForeignOriginAreRefused) {
  const std::string line = "GET /api/v1/meta HTTP/1.1\r\n", end = "Connection: close\r\n\r\n";
  EXPECT_EQ(status_in(exchange(served_.port(), line + served_.host() + "Authorization: Bearer x\r\n" + end)), 401U);
  EXPECT_EQ(status_in(exchange(served_.port(), line + "Host: evil.example\r\n" + served_.authorization() + end)), 403U);
  EXPECT_EQ(status_in(exchange(served_.port(), line + served_.authorization() + end)), 403U) << "no host";
  EXPECT_EQ(status_in(get("/api/v1/meta", "Origin: http://evil.example\r\n")), 403U);
  EXPECT_EQ(status_in(get("/api/v1/meta", "Host: evil.example\r\n")), 403U) << "two hosts";
  EXPECT_EQ(status_in(get("/api/v1/meta")), 200U) << "and it lives";
}

TEST_F(Serving, AConnectionTakesRequestAfterRequest) {
  Client client(served_.port());
  for (int i = 0; i < 5; ++i) {
    client.send(served_.request("GET", "/api/v1/meta"));
    EXPECT_EQ(status_in(client.read_response()), 200U);
  }
  client.send(served_.request("GET", "/api/v1/none") + served_.request("GET", "/api/v1/meta"));
  EXPECT_EQ(status_in(client.read_response()), 404U);
  EXPECT_EQ(status_in(client.read_response()), 200U) << "both were sent at once";
}

TEST_F(Serving, TheHeadOfAnAnswerComesWithoutItsBody) {
  const std::string response =
      exchange(served_.port(), served_.request("HEAD", "/api/v1/meta", "Connection: close\r\n"));
  EXPECT_EQ(status_in(response), 200U);
  EXPECT_TRUE(response.ends_with("\r\n\r\n")) << response;
  EXPECT_THAT(response, HasSubstr("Content-Length: "));
}

TEST_F(Serving, WhatIsTooLongIsToldAndNotRead) {
  EXPECT_EQ(status_in(get("/api/v1/meta", "X-Long: " + std::string(9 << 10, 'x') + "\r\n")), 431U);
  EXPECT_EQ(status_in(get("/" + std::string(9 << 10, 'x'))), 431U);
  EXPECT_EQ(status_in(exchange(served_.port(),
                               served_.request("POST", "/api/v1/whatif", "", std::string((64 << 10) + 1, 'x')))),
            413U);
  const std::string liar = "POST /api/v1/whatif HTTP/1.1\r\n" + served_.host() + served_.authorization() +
                           "Content-Length: 99999999999\r\n\r\n";
  EXPECT_EQ(status_in(exchange(served_.port(), liar)), 413U);
}

TEST_F(Serving, WhatIsNoRequestGetsAStatus) {
  for (const char* bytes : {"nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n",
                            "GET / HTTP/1.1\r\nbad header\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"})
    EXPECT_EQ(status_in(exchange(served_.port(), bytes)), 400U) << bytes;
  EXPECT_EQ(status_in(get("/api/v1/meta")), 200U) << "and it lives";
}

TEST(ServerWithLittleTime, ClosesConnectionsThatSayNothing) {
  const std::unique_ptr<Opened> opened = opened_pair();
  const Served served(opened.get(), hasty());
  Client silent(served.port()), slow(served.port());
  slow.send("GET /api/v1/meta HT");
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(slow.is_closed());
}

TEST(ServerWithFewConnections, TellsFurtherOnesToComeAgain) {
  const std::unique_ptr<Opened> opened = opened_pair();
  ServerLimits limits = patient();
  limits.connections = 2;
  const Served served(opened.get(), limits);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 2; ++i) {
    clients.push_back(std::make_unique<Client>(served.port()));
    clients.back()->send(served.request("GET", "/api/v1/meta"));
    EXPECT_EQ(status_in(clients.back()->read_response()), 200U);
  }
  EXPECT_EQ(status_in(exchange(served.port(), served.request("GET", "/"))), 503U);
  clients[0].reset();
  unsigned status = 503;  // until the server has seen that it went
  for (int tries = 0; tries < 1000 && status == 503; ++tries)
    status = status_in(exchange(served.port(), served.request("GET", "/", "Connection: close\r\n")));
  EXPECT_EQ(status, 200U);
}

TEST(ServerOnAPort, ThatIsInUseSaysSo) {
  const Server first("127.0.0.1", 0);
  try {
    const Server second("127.0.0.1", first.port());
    FAIL() << "two servers on one port";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("127.0.0.1:" + std::to_string(first.port())));
    EXPECT_THAT(error.what(), HasSubstr("in use"));
    EXPECT_THAT(error.what(), HasSubstr("--port"));
  }
}

TEST(ServerOnAnAddress, ThatIsNoneSaysSo) {
  EXPECT_THROW(Server("localhost", 0), Error);
  EXPECT_THROW(Server("203.0.113.1", 0), Error) << "no address of this host (RFC 5737)";
}

TEST(ServerEnding, LeavesRequestsUnderWay) {
  const std::unique_ptr<Opened> opened = opened_pair();
  auto served = std::make_unique<Served>(opened.get(), patient());
  Client client(served->port());
  client.send("GET /api/v1/meta HTTP/1.1\r\n");
  served.reset();
  EXPECT_TRUE(client.read_all().empty());
}

}  // namespace
}  // namespace plumbline::viewer
