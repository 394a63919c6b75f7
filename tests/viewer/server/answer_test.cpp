#include "viewer/server/http/answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "opened_world.hpp"
#include "viewer/server/encoding/gzip.hpp"

namespace plumbline::viewer {
namespace {

using testing::HasSubstr;

const std::string kAnswersToken = "00112233445566778899aabbccddeeff";

std::string header(const Answer& answer, const std::string& name) {
  const auto found = std::ranges::find(answer.headers, name, [](const auto& pair) { return pair.first; });
  return found == answer.headers.end() ? "" : found->second;
}

class Answering : public testing::Test {
 protected:
  Answering() : html_("<!doctype html><script>let a;</script>" + std::string(2000, ' ')), compressed_(gzip(html_, 9)) {
    site_ = {guard_for("127.0.0.1", 8080, "", kAnswersToken), embedded_page(std::as_bytes(std::span(compressed_))),
             opened_.get()};
  }

  static Incoming incoming(const std::string& target, const std::string& method = "GET") {
    return {{method, target, "localhost:8080", std::nullopt, "Bearer " + kAnswersToken}};
  }
  Answer get(const std::string& target) const { return answer(site_, incoming(target)); }

  const std::unique_ptr<Opened> opened_ = opened_pair();
  const std::string html_, compressed_;
  Site site_;
};

TEST_F(Answering, EveryAnswerKeepsOthersOut) {
  for (const char* target : {"/", "/none", "/api/v1/meta", "/api/v1/none", "%"}) {
    const Answer answer = get(target);
    EXPECT_THAT(header(answer, "Content-Security-Policy"), HasSubstr("default-src 'none'")) << target;
    EXPECT_EQ(header(answer, "X-Content-Type-Options"), "nosniff") << target;
    EXPECT_EQ(header(answer, "Referrer-Policy"), "no-referrer") << target;
    EXPECT_EQ(header(answer, "Cross-Origin-Resource-Policy"), "same-origin") << target;
  }
}

TEST_F(Answering, ThePageComesAsItWasCompressedOrAsText) {
  Incoming request = incoming("/");
  request.head.authorization = std::nullopt;
  EXPECT_EQ(answer(site_, request).body, html_);
  EXPECT_EQ(header(answer(site_, request), "Content-Encoding"), "");
  request.accept_encoding = "gzip, deflate, br";
  EXPECT_EQ(answer(site_, request).body, compressed_);
  EXPECT_EQ(header(answer(site_, request), "Content-Encoding"), "gzip");
  EXPECT_EQ(header(answer(site_, request), "Content-Type"), "text/html; charset=utf-8");
}

TEST_F(Answering, ThePageIsAskedForAgainButNotSentAgain) {
  const Answer first = get("/");
  EXPECT_EQ(header(first, "Cache-Control"), "no-cache");
  Incoming again = incoming("/");
  again.if_none_match = header(first, "ETag");
  EXPECT_EQ(answer(site_, again).status, 304U);
  EXPECT_EQ(answer(site_, again).body, "");
  again.if_none_match = "\"another\"";
  EXPECT_EQ(answer(site_, again).status, 200U);
}

TEST_F(Answering, ThePageCanOnlyBeRead) {
  EXPECT_EQ(answer(site_, incoming("/", "POST")).status, 405U);
  EXPECT_EQ(header(answer(site_, incoming("/", "DELETE")), "Allow"), "GET, HEAD");
  EXPECT_EQ(answer(site_, incoming("/", "HEAD")).status, 200U);
}

TEST_F(Answering, RefusalsSayWhy) {
  Incoming request = incoming("/api/v1/meta");
  request.head.authorization = std::nullopt;
  EXPECT_EQ(answer(site_, request).status, 401U);
  EXPECT_EQ(header(answer(site_, request), "WWW-Authenticate"), "Bearer");
  EXPECT_THAT(answer(site_, request).body, HasSubstr("token"));
  request.head.host = "evil.example:8080";
  EXPECT_EQ(answer(site_, request).status, 403U);
  EXPECT_EQ(answer(site_, incoming("/api/v1/meta", "PUT")).status, 405U);
}

TEST_F(Answering, LongAnswersAreCompressedWhereTheyMayBe) {
  Incoming request = incoming("/api/v1/report");
  const std::string text = answer(site_, request).body;
  request.accept_encoding = "gzip";
  const Answer compressed = answer(site_, request);
  EXPECT_EQ(header(compressed, "Content-Encoding"), "gzip");
  EXPECT_LT(compressed.body.size(), text.size() / 2);
  EXPECT_EQ(gunzip(compressed.body, text.size()), text);
  request = incoming("/api/v1/none");
  request.accept_encoding = "gzip";
  EXPECT_EQ(header(answer(site_, request), "Content-Encoding"), "") << "a short one is sent as it is";
}

TEST_F(Answering, WhatChangesIsNotKept) { EXPECT_EQ(header(get("/api/v1/meta"), "Cache-Control"), "no-store"); }

TEST_F(Answering, StripsAreKeptForEver) {
  const std::string target = "/api/v1/strips?k=0123456789abcdef&s=obs&l=0&x=0&r=0-3";
  const Answer strips = get(target);
  ASSERT_EQ(strips.status, 200U) << strips.body;
  EXPECT_THAT(header(strips, "Cache-Control"), HasSubstr("immutable"));
  Incoming again = incoming(target);
  again.if_none_match = header(strips, "ETag");
  EXPECT_EQ(answer(site_, again).status, 304U);
}

}  // namespace
}  // namespace plumbline::viewer
