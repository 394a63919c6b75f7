// Requests to the viewer, random ones and good ones with something changed: each gets a status, and the server lives.
//
// PLUMBLINE_FUZZ_ROUNDS=1000000 PLUMBLINE_FUZZ_SECONDS=3600 viewer_request_fuzz: a million requests.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "opened_world.hpp"
#include "served.hpp"
#include "tests/support/mutated.hpp"
#include "tests/support/seed.hpp"
#include "viewer/server/api.hpp"

namespace plumbline::viewer {
namespace {

using Random = std::mt19937_64;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const given = std::getenv(variable);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

// So many rounds, or so long.
class Rounds {
 public:
  Rounds(std::uint64_t most, std::uint64_t most_seconds)
      : most_(number_from("PLUMBLINE_FUZZ_ROUNDS", most)),
        end_(Clock::now() + std::chrono::seconds(number_from("PLUMBLINE_FUZZ_SECONDS", most_seconds))) {}
  bool next() { return done_ < most_ && Clock::now() < end_ && ++done_ > 0; }
  std::uint64_t done() const { return done_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t most_, done_ = 0;
  Clock::time_point end_;
};

template <class Values>
const auto& any_of(const Values& values, Random& random) {
  return values[random() % std::size(values)];
}

std::string any_value(Random& random) {
  static const std::vector<std::string> kLikely = {"",
                                                   "0",
                                                   "1",
                                                   "3",
                                                   "4",
                                                   "-1",
                                                   "74",
                                                   "75",
                                                   "18446744073709551615",
                                                   "18446744073709551616",
                                                   "0..3",
                                                   "0..4294967295",
                                                   "0-3",
                                                   "0,2-5,1073741824",
                                                   "536870912",
                                                   "obs",
                                                   "free",
                                                   "whatif-1",
                                                   "whatif-999999999999",
                                                   "0123456789abcdef",
                                                   "own",
                                                   "begin",
                                                   "bytes",
                                                   "MPI_Send",
                                                   "pwrite",
                                                   "next",
                                                   "previous",
                                                   "rank",
                                                   "node",
                                                   "all",
                                                   "1e9",
                                                   "0x10",
                                                   "%ff",
                                                   "call%20%3D%3D%20MPI_Send%20%26%20bytes%20%3E%201KiB",
                                                   "((((((((((",
                                                   "!!!!",
                                                   "own%3E1ms%7Crank%20in%200-3",
                                                   "site%20~%20",
                                                   "1000000000000",
                                                   "10325000000000",
                                                   "9223372036854775807",
                                                   "9223372036854775808"};
  if (random() % 4 != 0) return any_of(kLikely, random);
  std::string value;
  for (std::uint64_t n = random() % 40; n != 0; --n) value += static_cast<char>(random());
  return value;
}

std::string any_target(Random& random) {
  static const std::vector<std::string> kNames = {
      "k",    "s",     "l",  "x",    "r",   "t0",   "t1",   "lane", "lanes", "filter",    "sort",           "page",
      "fold", "order", "by", "what", "row", "call", "site", "bins", "q",     "from_rank", "from_operation", "dir",
      "limit"};
  std::string path(any_of(routes(), random).path);
  for (std::size_t star = path.find('*'); star != std::string::npos; star = path.find('*'))
    path.replace(star, 1, std::to_string(random() % 80));
  std::string target = "/api/v1/" + path;
  for (std::uint64_t n = random() % 6; n != 0; --n)
    target += (target.find('?') == std::string::npos ? "?" : "&") + any_of(kNames, random) + "=" + any_value(random);
  return target;
}

constexpr std::string_view kLikely[] = {"%", "/", "?", "&", "=", "\r\n", " ", "..", "%00", "\xff", ": ", "HTTP/1.1"};

std::string any_body(Random& random) {
  static const std::vector<std::string> kBodies = {"",
                                                   "{}",
                                                   "[]",
                                                   "null",
                                                   R"({"options": []})",
                                                   R"({"options": ["--set"]})",
                                                   R"({"options": ["--set", "hint.cb_nodes=2"]})",
                                                   R"({"options": [1, null]})",
                                                   R"({"options": ["-o", "/tmp/x"]})",
                                                   std::string(1000, '[')};
  const std::string& body = any_of(kBodies, random);
  return random() % 3 == 0 ? plumbline::test::mutated(body, kLikely, random) : body;
}

Request any_request(Random& random) {
  static const std::vector<std::string> kMethods = {"GET", "GET", "GET", "GET", "POST", "DELETE", "HEAD", "PUT", ""};
  Request request{any_of(kMethods, random), any_target(random), any_body(random)};
  if (random() % 3 == 0) request.target = plumbline::test::mutated(request.target, kLikely, random);
  return request;
}

// Statuses that say something: none of our own faults (500), none that is made up.
bool is_told(const Response& response) {
  if (response.status == 200 || response.status == 202) return true;
  if (response.status < 400 || response.status >= 500) return false;
  const auto json = nlohmann::json::parse(response.body, nullptr, false);
  return json.is_object() && json.contains("error") && !json["error"].get<std::string>().empty();
}

TEST(ViewerRequestFuzz, EveryRequestGetsAStatus) {
  const std::uint64_t seed = test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  Random random(seed);
  const std::unique_ptr<Opened> pair = opened_pair(), alone = opened_alone();
  std::uint64_t answered = 0;
  Rounds rounds(100'000, 25);
  while (rounds.next()) {
    const Request request = any_request(random);
    const Response response = handle(random() % 8 == 0 ? *alone : *pair, request);
    ASSERT_TRUE(is_told(response)) << "request " << rounds.done() << ": " << request.method << " " << request.target
                                   << "\n"
                                   << response.status << " " << response.body.substr(0, 300);
    answered += response.status == 200 ? 1 : 0;
  }
  std::printf("%lu requests, %lu answered\n", static_cast<unsigned long>(rounds.done()),
              static_cast<unsigned long>(answered));
  EXPECT_GT(answered, rounds.done() / 50) << "what is never answered tests little";
}

// Behind the parser of HTTP, with bytes that are none.
TEST(ViewerRequestFuzz, NoBytesEndTheServer) {
  const std::uint64_t seed = test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  Random random(seed);
  const std::unique_ptr<Opened> pair = opened_pair();
  ServerLimits limits;
  limits.timeout = std::chrono::milliseconds(2000);
  const Served served(pair.get(), limits);
  std::uint64_t told = 0;
  Rounds rounds(2000, 5);
  while (rounds.next()) {
    const Request request = any_request(random);
    std::string bytes = served.request(request.method, request.target, "", request.body);
    if (random() % 4 != 0) bytes = plumbline::test::mutated(bytes, kLikely, random);
    told += status_in(exchange(served.port(), bytes)) != 0 ? 1 : 0;
  }
  EXPECT_GT(told, rounds.done() / 4);
  EXPECT_EQ(status_in(exchange(served.port(), served.request("GET", "/api/v1/meta", "Connection: close\r\n"))), 200U);
}

}  // namespace
}  // namespace plumbline::viewer
