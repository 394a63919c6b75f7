#pragma once
// Room for the frames that are on their way, reused: after the busiest moment nothing is allocated any more.

#include <cstddef>
#include <memory>
#include <vector>

#include "tests/lab/switch/model.hpp"

namespace plumbline::lab {

class FramePool {
 public:
  explicit FramePool(std::size_t frame_size) : frame_size_(frame_size) { grow(); }

  FrameId take() {
    if (free_.empty()) grow();
    const FrameId frame = free_.back();
    free_.pop_back();
    return frame;
  }
  void give_back(FrameId frame) { free_.push_back(frame); }

  std::byte* bytes(FrameId frame) { return chunks_[frame / kChunk].get() + (frame % kChunk) * frame_size_; }
  std::size_t frame_size() const { return frame_size_; }

 private:
  static constexpr FrameId kChunk = 256;

  void grow() {
    const FrameId first = static_cast<FrameId>(chunks_.size()) * kChunk;
    chunks_.push_back(std::make_unique<std::byte[]>(kChunk * frame_size_));
    free_.reserve(first + kChunk);
    for (FrameId i = kChunk; i > 0; --i) free_.push_back(first + i - 1);
  }

  std::size_t frame_size_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::vector<FrameId> free_;
};

}  // namespace plumbline::lab
