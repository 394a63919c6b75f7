#include "viewer/server/http/guard.hpp"

#include <gtest/gtest.h>

#include <set>

namespace plumbline::viewer {
namespace {

const std::string kToken = "00112233445566778899aabbccddeeff";

RequestHead head(std::string target = "/api/v1/meta") {
  return {"GET", std::move(target), "localhost:8080", std::nullopt, "Bearer " + kToken};
}

unsigned status_of(const Guard& guard, const RequestHead& request) {
  const std::optional<Refusal> refusal = refusal_of(guard, request);
  return refusal ? refusal->status : 200;
}

class OfLoopback : public testing::Test {
 protected:
  const Guard guard_ = guard_for("127.0.0.1", 8080, "login1", kToken);
};

TEST_F(OfLoopback, TheTokenOpensTheEndpoints) {
  EXPECT_EQ(status_of(guard_, head()), 200);
  RequestHead request = head();
  request.authorization = "bearer " + kToken;
  EXPECT_EQ(status_of(guard_, request), 200) << "schemes are the same in any case (RFC 9110, 11.1)";
}

TEST_F(OfLoopback, WithoutTheTokenThereIsOnlyThePage) {
  for (const char* authorization :
       {"", "Bearer", "Bearer ", "Basic 00112233445566778899aabbccddeeff", "Bearer 00112233445566778899aabbccddeefe",
        "Bearer 00112233445566778899aabbccddeeff0", "Bearer 0011"}) {
    RequestHead request = head();
    request.authorization = authorization;
    EXPECT_EQ(status_of(guard_, request), 401) << authorization;
  }
  for (const char* target : {"/", "/?x=1", "/index.html", "/app.js"}) {
    RequestHead request = head(target);
    request.authorization = std::nullopt;
    EXPECT_EQ(status_of(guard_, request), 200) << target;
  }
}

// Whoever takes an address apart later decodes it; what looks like a file before must not become an endpoint then.
TEST_F(OfLoopback, AnEndpointInDisguiseStillNeedsTheToken) {
  for (const char* target :
       {"/%61pi/v1/meta", "//api/v1/meta", "/api%2fv1%2fmeta", "/./api/v1/meta", "/x/../api/v1/meta",
        "http://localhost:8080/api/v1/meta", "api/v1/meta", "*", "", "/.hidden", "/api/"}) {
    RequestHead request = head(target);
    request.authorization = std::nullopt;
    EXPECT_EQ(status_of(guard_, request), 401) << target;
  }
}

TEST_F(OfLoopback, AForeignHostIsRefused) {
  for (const char* host :
       {"evil.example:8080", "localhost", "localhost:8081", "localhost:", ":8080", "127.0.0.2:8080", "10.0.0.1:8080",
        "login1:8080", "localhost.evil.example:8080", "[::2]:8080", "localhost:8080:8080"}) {
    RequestHead request = head();
    request.host = host;
    EXPECT_EQ(status_of(guard_, request), 403) << host;
  }
  RequestHead without = head();
  without.host = std::nullopt;
  EXPECT_EQ(status_of(guard_, without), 403);
  for (const char* host : {"localhost:8080", "LocalHost:8080", "127.0.0.1:8080", "[::1]:8080"}) {
    RequestHead request = head();
    request.host = host;
    EXPECT_EQ(status_of(guard_, request), 200) << host;
  }
}

TEST_F(OfLoopback, AForeignOriginIsRefusedAlsoForThePage) {
  for (const char* origin : {"http://evil.example", "null", "https://localhost:8080", "http://localhost:8081", "",
                             "http://localhost:8080.evil.example"}) {
    RequestHead request = head("/");
    request.origin = origin;
    EXPECT_EQ(status_of(guard_, request), 403) << origin;
  }
  RequestHead request = head();
  request.origin = "http://127.0.0.1:8080";
  EXPECT_EQ(status_of(guard_, request), 200);
}

TEST_F(OfLoopback, OtherMethodsAreRefused) {
  for (const char* method : {"PUT", "OPTIONS", "TRACE", "CONNECT", "get", "", "PATCH"}) {
    RequestHead request = head();
    request.method = method;
    EXPECT_EQ(status_of(guard_, request), 405) << method;
  }
}

TEST(GuardOfAllAddresses, TakesLiteralAddressesAndItsOwnNameAlone) {
  const Guard guard = guard_for("0.0.0.0", 8080, "Login1", kToken);
  for (const char* host : {"10.1.2.3:8080", "login1:8080", "[fe80::1]:8080", "localhost:8080"}) {
    RequestHead request = head();
    request.host = host;
    EXPECT_EQ(status_of(guard, request), 200) << host;
  }
  for (const char* host : {"rebound.example:8080", "1.2.3.4.example:8080", "10.1.2:8080", "10.1.2.3:80"}) {
    RequestHead request = head();
    request.host = host;
    EXPECT_EQ(status_of(guard, request), 403) << host;
  }
}

TEST(GuardOfPort80, TakesANameWithoutAPort) {
  const Guard guard = guard_for("::1", 80, "", kToken);
  RequestHead request = head();
  request.host = "[::1]";
  EXPECT_EQ(status_of(guard, request), 200);
}

TEST(Token, Is128BitsThatNobodyGuesses) {
  std::set<std::string> seen;
  for (int i = 0; i < 200; ++i) {
    const std::string token = random_token();
    EXPECT_EQ(token.size(), 32U);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos) << token;
    EXPECT_TRUE(seen.insert(token).second) << token;
  }
}

TEST(ConstantTime, ComparesAllOfBoth) {
  EXPECT_TRUE(are_equal_in_constant_time("abc", "abc"));
  EXPECT_FALSE(are_equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(are_equal_in_constant_time("abc", "bbc"));
  EXPECT_FALSE(are_equal_in_constant_time("abc", "ab"));
  EXPECT_FALSE(are_equal_in_constant_time("", "a"));
}

TEST(GuardWithoutToken, LetsNobodyIn) {
  const Guard guard = guard_for("127.0.0.1", 8080, "", "");
  RequestHead request = head();
  request.authorization = "Bearer ";
  EXPECT_EQ(status_of(guard, request), 401);
}

}  // namespace
}  // namespace plumbline::viewer
