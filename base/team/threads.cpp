#include "base/team/threads.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "base/checks_throw.hpp"

namespace plumbline {
namespace {

struct Stopped {};  // ends a task that nobody waits for any more

constexpr std::chrono::milliseconds kTellInterval{100};

}  // namespace

Threads::Threads(const Team& team, std::size_t count, const std::function<void(const Task&)>& work,
                 const std::function<void(std::size_t)>& take)
    : team_(team),
      count_(count),
      ahead_(most_ahead(team)),
      work_(work),
      take_(take),
      told_([this](std::size_t index, double share) { told(index, share); }),
      is_done_(count),
      shares_(count),
      failed_(count) {}

void Threads::run() {
  std::vector<std::jthread> threads;
  // Behind the threads, so that it comes before they are waited for.
  struct StopAtEnd {
    Threads& team;
    ~StopAtEnd() { team.stop(); }
  } const stops{*this};
  while (threads.size() < std::min<std::size_t>(team_.jobs, count_)) try {
      threads.emplace_back([this] { work_on(); });
    } catch (const std::system_error&) {  // no more threads are allowed: these do it
      if (threads.empty()) throw;
      break;
    }
  take_all();
}

void Threads::stop() {
  const std::lock_guard lock(mutex_);
  failed_ = 0;
  room_.notify_all();
}

void Threads::take_all() {
  std::unique_lock lock(mutex_);
  while (taken_ < count_) {
    if (taken_ == failed_) std::rethrow_exception(error_);
    if (!is_done_[taken_]) {
      done_.wait_for(lock, kTellInterval);
      tell_progress(lock);
      continue;
    }
    lock.unlock();
    take_(taken_);
    lock.lock();
    ++taken_;
    room_.notify_all();
    tell_progress(lock);
  }
}

void Threads::tell_progress(std::unique_lock<std::mutex>& lock) {
  if (!team_.progress) return;
  const double share = sum_ / static_cast<double>(count_);
  lock.unlock();
  team_.progress(share);
  lock.lock();
}

void Threads::work_on() {
  while (const std::optional<std::size_t> index = begin_next()) {
    std::exception_ptr error;
    try {
      const ChecksThrow of_this_task;
      work_(Task(*index, told_));
    } catch (const Stopped&) {
      continue;
    } catch (...) {
      error = std::current_exception();
    }
    end(*index, std::move(error));
  }
}

std::optional<std::size_t> Threads::begin_next() {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return next_ >= failed_ || next_ < taken_ + ahead_; });
  if (next_ >= failed_) return std::nullopt;
  return next_++;
}

void Threads::end(std::size_t index, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  sum_ += 1 - std::exchange(shares_[index], 1.0);
  if (error == nullptr) {
    is_done_[index] = true;
  } else if (index < failed_) {
    failed_ = index;
    error_ = std::move(error);
    room_.notify_all();
  }
  done_.notify_one();
}

void Threads::told(std::size_t index, double share) {
  const std::lock_guard lock(mutex_);
  if (index > failed_ || failed_ == 0) throw Stopped();
  sum_ += share - std::exchange(shares_[index], share);
}

}  // namespace plumbline
