#include "tracer/record/events/rma_epochs.hpp"

namespace plumbline::record {

template <typename Visit>
void RmaEpochs::visit(std::optional<std::uint32_t> target, Visit&& visit) {
  if (!target) {
    for (auto& [rank, operations] : targets_) visit(operations);
  } else if (const auto one = targets_.find(*target); one != targets_.end()) {
    visit(one->second);
  }
}

void RmaEpochs::issue(std::uint32_t target, std::uint64_t operation, bool only_reads) {
  Target& at = targets_[target];
  (only_reads ? at.reads : at.writes).push_back(operation);
  ++issued_;
}

// A program may wait for all it does and flush at its end only: what was waited for is dropped from time to time.
void RmaEpochs::waited(std::uint64_t operation) {
  constexpr std::size_t kMost = 1024;
  waited_.insert(operation);
  if (waited_.size() > kMost && 2 * waited_.size() > issued_) drop_waited();
}

void RmaEpochs::drop_waited() {
  visit(std::nullopt, [&](Target& at) {
    issued_ -= std::erase_if(at.reads, [&](std::uint64_t operation) { return waited_.contains(operation); });
    issued_ -= std::erase_if(at.writes, [&](std::uint64_t operation) {
      if (!waited_.contains(operation)) return false;
      at.local.push_back(operation);
      return true;
    });
  });
  waited_.clear();
}

RmaEpochs::Operations RmaEpochs::complete_locally(std::optional<std::uint32_t> target) {
  Operations completed;
  visit(target, [&](Target& at) {
    for (const Operations* some : {&at.reads, &at.writes})
      for (const std::uint64_t operation : *some)
        if (waited_.erase(operation) == 0) completed.push_back(operation);
    at.local.insert(at.local.end(), at.writes.begin(), at.writes.end());
    issued_ -= at.reads.size() + at.writes.size();
    at.reads.clear();
    at.writes.clear();
  });
  return completed;
}

RmaEpochs::Operations RmaEpochs::complete_remotely(std::optional<std::uint32_t> target) {
  Operations completed;
  visit(target, [&](Target& at) {
    completed.insert(completed.end(), at.local.begin(), at.local.end());
    at.local.clear();
  });
  return completed;
}

void RmaEpochs::end_access() {
  targets_.clear();
  waited_.clear();
  issued_ = 0;
}

}  // namespace plumbline::record
