#include "tests/lab/switch/pcap.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace plumbline::lab {

void ByteRing::copy_in(std::uint64_t at, std::span<const std::byte> part) {
  const std::size_t offset = static_cast<std::size_t>(at) & (bytes_.size() - 1);
  const std::size_t first = std::min(part.size(), bytes_.size() - offset);
  std::memcpy(bytes_.data() + offset, part.data(), first);
  std::memcpy(bytes_.data(), part.data() + first, part.size() - first);
}

bool ByteRing::push(std::span<const std::byte> head, std::span<const std::byte> body) {
  const std::uint64_t written = written_.load(std::memory_order_relaxed);
  const std::uint64_t used = written - read_.load(std::memory_order_acquire);
  if (head.size() + body.size() > bytes_.size() - used) return false;
  copy_in(written, head);
  copy_in(written + head.size(), body);
  written_.store(written + head.size() + body.size(), std::memory_order_release);
  return true;
}

void ByteRing::pop_all(std::vector<std::byte>& out) {
  const std::uint64_t read = read_.load(std::memory_order_relaxed);
  const std::uint64_t written = written_.load(std::memory_order_acquire);
  const std::size_t offset = static_cast<std::size_t>(read) & (bytes_.size() - 1);
  const std::size_t size = static_cast<std::size_t>(written - read);
  const std::size_t first = std::min(size, bytes_.size() - offset);
  const auto from = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
  out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(first));
  out.insert(out.end(), bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size - first));
  read_.store(written, std::memory_order_release);
}

void note_frame(Capture& capture, std::int64_t at_ns, std::span<const std::byte> frame) {
  if (!capture.ring) return;
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t wall = at_ns + capture.wall_offset_ns;
  const std::span<const std::byte> kept = frame.first(std::min<std::size_t>(frame.size(), capture.snap));
  const PcapRecord record{static_cast<std::uint32_t>(wall / kSecond), static_cast<std::uint32_t>(wall % kSecond),
                          static_cast<std::uint32_t>(kept.size()), static_cast<std::uint32_t>(frame.size())};
  if (capture.ring->push(std::as_bytes(std::span(&record, 1)), kept))
    ++capture.frames;
  else
    ++capture.missed;
}

PcapFile::PcapFile(const std::string& path, std::uint32_t snap) : file_(std::fopen(path.c_str(), "wbe")) {
  if (!file_) throw Error(path, "cannot be created: " + std::string(std::strerror(errno)), "name another file");
  PcapFileHeader header;
  header.snap = snap;
  good_ = std::fwrite(&header, sizeof header, 1, file_.get()) == 1 && std::fflush(file_.get()) == 0;
}

void PcapFile::drain(ByteRing& ring) {
  buffer_.clear();
  ring.pop_all(buffer_);
  if (buffer_.empty()) return;
  const bool wrote = std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) == buffer_.size();
  good_ = good_ && wrote && std::fflush(file_.get()) == 0;
}

bool PcapFile::close() { return std::fclose(file_.release()) == 0 && good_; }

}  // namespace plumbline::lab
