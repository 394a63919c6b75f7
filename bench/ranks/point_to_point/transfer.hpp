#pragma once
// One end of messages from one rank to another, in each of MPI's modes of sending.

#include <cstddef>
#include <string_view>
#include <vector>

#include "bench/ranks/runtime/family.hpp"
#include "bench/ranks/runtime/memory_area.hpp"

namespace plumbline::bench {

enum class SendMode { kStandard, kSynchronous, kBuffered, kReady, kNonBlocking, kPersistent };

inline constexpr FamilyParameter kSendMode = {"send", "Send, Ssend, Bsend, Rsend, Isend or persistent", "Send", true};
SendMode send_mode(const Request& request);

// `count` messages of `bytes` each, one behind the other.
struct Messages {
  SendMode mode = SendMode::kStandard;
  std::size_t bytes = 0;
  int count = 1;
  std::uint64_t fresh_mib = 0;  // as kFreshMib
};

// Throws Error for more than MPI counts.
Messages messages_of(const Request& request, std::uint64_t bytes, std::uint64_t count);

class Sender {
 public:
  Sender(const Messages& messages, int to, MPI_Comm comm);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  int send();  // all of them; they are on their way as far as their mode says so

 private:
  int send_at_once(const char* data);

  Messages messages_;
  int to_;
  MPI_Comm comm_;
  MemoryArea area_;
  std::vector<char> attached_;  // for Bsend
  std::vector<MPI_Request> requests_;
};

class Receiver {
 public:
  Receiver(const Messages& messages, int from, MPI_Comm comm);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // Before the sender may send in ready mode; nothing in others.
  int prepare();
  int receive();  // all of them

 private:
  int post();

  Messages messages_;
  int from_;
  MPI_Comm comm_;
  MemoryArea area_;
  bool posted_ = false;
  std::vector<MPI_Request> requests_;
};

}  // namespace plumbline::bench
