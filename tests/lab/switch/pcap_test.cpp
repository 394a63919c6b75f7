#include "tests/lab/switch/pcap.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::lab {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

TEST(SwitchPcap, AFileIsItsHeaderAndARecordPerFrame) {
  const test::TemporaryDirectory directory;
  const std::string path = (directory / "x.pcap").string();
  PcapFile file(path, 4);
  Capture capture{std::make_shared<ByteRing>(1024), 4, 1'000'000'000'000, 0, 0};
  note_frame(capture, 2'000'000'005, bytes_of("abcdef"));
  note_frame(capture, 3'000'000'000, bytes_of("xy"));
  file.drain(*capture.ring);
  EXPECT_TRUE(file.close());

  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::uint32_t expected_head[] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, 4, 1};
  const std::uint32_t first[] = {1'002, 5, 4, 6}, second[] = {1'003, 0, 2, 2};
  ASSERT_EQ(text.size(), 24u + 16 + 4 + 16 + 2);
  EXPECT_EQ(std::memcmp(text.data(), expected_head, 24), 0);
  EXPECT_EQ(std::memcmp(text.data() + 24, first, 16), 0);
  EXPECT_EQ(text.substr(40, 4), "abcd");
  EXPECT_EQ(std::memcmp(text.data() + 44, second, 16), 0);
  EXPECT_EQ(text.substr(60), "xy");
}

TEST(SwitchPcap, WithoutACaptureNothingIsNoted) {
  Capture capture;
  note_frame(capture, 1, bytes_of("abc"));
  EXPECT_EQ(capture.frames, 0u);
}

TEST(SwitchPcap, WhatDoesNotFitIsCounted) {
  Capture capture{std::make_shared<ByteRing>(32), 100, 0, 0, 0};
  note_frame(capture, 1, bytes_of("0123456789"));
  note_frame(capture, 2, bytes_of("0123456789"));
  EXPECT_EQ(capture.frames, 1u);
  EXPECT_EQ(capture.missed, 1u);
}

TEST(SwitchPcap, TheRingGivesBackInOrderAcrossItsEnd) {
  ByteRing ring(16);
  std::string seen;
  for (int i = 0; i < 10; ++i) {
    const std::string text = "part " + std::to_string(i) + ";";
    ASSERT_TRUE(ring.push(bytes_of(text.substr(0, 3)), bytes_of(text.substr(3))));
    std::vector<std::byte> out;
    ring.pop_all(out);
    seen.append(reinterpret_cast<const char*>(out.data()), out.size());
  }
  EXPECT_EQ(seen, "part 0;part 1;part 2;part 3;part 4;part 5;part 6;part 7;part 8;part 9;");
}

TEST(SwitchPcap, AFileThatCannotBeCreatedIsSaidSo) { EXPECT_THROW(PcapFile("/nowhere/x.pcap", 100), Error); }

TEST(SwitchPcap, AFullDiskIsSeenAtTheEnd) {
  PcapFile file("/dev/full", 100);
  EXPECT_FALSE(file.close());
}

}  // namespace
}  // namespace plumbline::lab
