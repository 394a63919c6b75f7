#pragma once
// Frames as a pcap file with times in nanoseconds (draft-ietf-opsawg-pcap), and the ring over which the loop hands them
// to the thread that writes: the loop never waits for a disk.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plumbline::lab {

inline constexpr std::uint32_t kPcapNanoseconds = 0xa1b23c4d;
inline constexpr std::uint32_t kPcapEthernet = 1;

struct PcapFileHeader {
  std::uint32_t magic = kPcapNanoseconds;
  std::uint16_t major = 2, minor = 4;
  std::uint32_t reserved1 = 0, reserved2 = 0;
  std::uint32_t snap = 0;
  std::uint32_t link_type = kPcapEthernet;
};
static_assert(sizeof(PcapFileHeader) == 24);

struct PcapRecord {
  std::uint32_t seconds = 0, nanoseconds = 0;
  std::uint32_t kept = 0;    // bytes that follow
  std::uint32_t length = 0;  // bytes that the frame had
};
static_assert(sizeof(PcapRecord) == 16);

// Bytes from one thread to one other. The size is a power of two.
class ByteRing {
 public:
  explicit ByteRing(std::size_t size) : bytes_(size) {}

  bool push(std::span<const std::byte> head, std::span<const std::byte> body);  // both, or false and neither
  void pop_all(std::vector<std::byte>& out);                                    // appends

 private:
  void copy_in(std::uint64_t at, std::span<const std::byte> part);

  std::vector<std::byte> bytes_;
  alignas(64) std::atomic<std::uint64_t> written_{0};
  alignas(64) std::atomic<std::uint64_t> read_{0};
};

// The side of the loop: what it notes of each frame while a capture runs.
struct Capture {
  std::shared_ptr<ByteRing> ring;   // set: a capture runs; shared with the writer
  std::uint32_t snap = 0;           // keep that many bytes of each frame
  std::int64_t wall_offset_ns = 0;  // wall clock - loop's clock
  std::uint64_t frames = 0;
  std::uint64_t missed = 0;  // the ring was full
};
void note_frame(Capture& capture, std::int64_t at_ns, std::span<const std::byte> frame);

// The side of the writer. Throws Error when the file cannot be created.
class PcapFile {
 public:
  PcapFile(const std::string& path, std::uint32_t snap);
  void drain(ByteRing& ring);
  bool close();  // false: something could not be written

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file_;
  std::vector<std::byte> buffer_;
  bool good_ = true;
};

}  // namespace plumbline::lab
