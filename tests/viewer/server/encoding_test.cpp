// gzip and SHA-256.

#include <gtest/gtest.h>

#include <random>

#include "tests/support/seed.hpp"
#include "viewer/server/encoding/gzip.hpp"
#include "viewer/server/encoding/sha256.hpp"

namespace plumbline::viewer {
namespace {

std::string hex(std::string_view text) {
  std::string result;
  for (const unsigned char byte : sha256(text)) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
  }
  return result;
}

// NIST, "SHA-256 examples"; a million times "a" from FIPS 180-2, B.3.
TEST(Sha256, HasTheValuesOfTheStandard) {
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4648, 10.
TEST(Base64, HasTheValuesOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Gzip, ComesBackAsItWent) {
  const std::uint64_t seed = test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 50'000, '\0');
    const std::uint64_t letters = 1 + random() % 256;
    for (char& c : text) c = static_cast<char>(random() % letters);
    ASSERT_EQ(gunzip(gzip(text, 1 + static_cast<int>(random() % 9)), text.size()), text);
  }
}

TEST(Gunzip, RefusesWhatIsDamagedCutShortOrTooLong) {
  const std::string text(100'000, 'x');
  std::string compressed = gzip(text, 6);
  EXPECT_EQ(gunzip(compressed, text.size() - 1), std::nullopt);
  EXPECT_EQ(gunzip(compressed.substr(0, compressed.size() - 1), text.size()), std::nullopt);
  EXPECT_EQ(gunzip("no gzip at all", text.size()), std::nullopt);
  EXPECT_EQ(gunzip("", text.size()), std::nullopt);
  compressed[compressed.size() - 6] ^= 1;  // of the checksum
  EXPECT_EQ(gunzip(compressed, text.size()), std::nullopt);
}

TEST(AcceptEncoding, TakesGzipUnlessItsQualityIsZero) {
  for (const char* header :
       {"gzip", "gzip, deflate, br", "deflate, gzip;q=0.5", "*", "identity, * ; q=0.1", "br,x-gzip"})
    EXPECT_TRUE(accepts_gzip(header)) << header;
  for (const char* header : {"", "identity", "gzip;q=0", "*;q=0", "gzip;q=0, *", "deflate, br", "gzipped", ",,"})
    EXPECT_FALSE(accepts_gzip(header)) << header;
}

}  // namespace
}  // namespace plumbline::viewer
