#include "bench/ranks/point_to_point/transfer.hpp"

#include <climits>

#include "base/error.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

constexpr int kTag = 0;
constexpr std::string_view kTransferWords[] = {"Send", "Ssend", "Bsend", "Rsend", "Isend", "persistent"};

int wait_for(std::vector<MPI_Request>& requests) {
  return MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

SendMode send_mode(const Request& request) { return static_cast<SendMode>(choice(request, "send", kTransferWords)); }

Messages messages_of(const Request& request, std::uint64_t bytes, std::uint64_t count) {
  if (bytes > INT_MAX) throw Error(request.operation, "a message cannot be larger than 2^31 - 1 bytes");
  if (count > 1'000'000) throw Error(request.operation, "more than a million messages", "measure fewer");
  return {send_mode(request), bytes, static_cast<int>(count), bench::count(request, kFreshMib.name)};
}

Sender::Sender(const Messages& messages, int to, MPI_Comm comm)
    : messages_(messages), to_(to), comm_(comm), area_(messages.bytes, messages.fresh_mib) {
  const int bytes = static_cast<int>(messages.bytes);
  requests_.resize(static_cast<std::size_t>(messages.count), MPI_REQUEST_NULL);
  if (messages.mode == SendMode::kBuffered) {
    const std::size_t all = (messages.bytes + MPI_BSEND_OVERHEAD) * static_cast<std::size_t>(messages.count);
    if (all > INT_MAX) throw Error("", "a buffer for Bsend cannot be larger than 2^31 - 1 bytes", "send fewer or less");
    attached_.resize(all);
    must(MPI_Buffer_attach(attached_.data(), static_cast<int>(all)));
  }
  if (messages.mode == SendMode::kPersistent)
    for (MPI_Request& request : requests_)
      must(MPI_Send_init(area_.first(), bytes, MPI_BYTE, to, kTag, comm, &request));
}

Sender::~Sender() {
  if (messages_.mode == SendMode::kPersistent)
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  if (messages_.mode != SendMode::kBuffered) return;
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);  // returns when all have gone
}

int Sender::send_at_once(const char* data) {
  const int bytes = static_cast<int>(messages_.bytes);
  switch (messages_.mode) {
    case SendMode::kSynchronous:
      return MPI_Ssend(data, bytes, MPI_BYTE, to_, kTag, comm_);
    case SendMode::kBuffered:
      return MPI_Bsend(data, bytes, MPI_BYTE, to_, kTag, comm_);
    case SendMode::kReady:
      return MPI_Rsend(data, bytes, MPI_BYTE, to_, kTag, comm_);
    default:
      return MPI_Send(data, bytes, MPI_BYTE, to_, kTag, comm_);
  }
}

int Sender::send() {
  int code = MPI_SUCCESS;
  if (messages_.mode == SendMode::kPersistent) {
    code = MPI_Startall(messages_.count, requests_.data());
    return first_failure({code, wait_for(requests_)});
  }
  if (messages_.mode == SendMode::kNonBlocking) {
    for (MPI_Request& request : requests_)
      code = first_failure(
          {code, MPI_Isend(area_.next(), static_cast<int>(messages_.bytes), MPI_BYTE, to_, kTag, comm_, &request)});
    return first_failure({code, wait_for(requests_)});
  }
  for (int i = 0; i < messages_.count; ++i) code = first_failure({code, send_at_once(area_.next())});
  return code;
}

Receiver::Receiver(const Messages& messages, int from, MPI_Comm comm)
    : messages_(messages), from_(from), comm_(comm), area_(messages.bytes, messages.fresh_mib) {
  requests_.resize(static_cast<std::size_t>(messages.count), MPI_REQUEST_NULL);
  if (messages.mode == SendMode::kPersistent)
    for (MPI_Request& request : requests_)
      must(MPI_Recv_init(area_.first(), static_cast<int>(messages.bytes), MPI_BYTE, from, kTag, comm, &request));
}

Receiver::~Receiver() {
  if (posted_) {
    for (MPI_Request& request : requests_) MPI_Cancel(&request);
    wait_for(requests_);
  }
  if (messages_.mode == SendMode::kPersistent)
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
}

int Receiver::post() {
  int code = MPI_SUCCESS;
  for (MPI_Request& request : requests_)
    code = first_failure(
        {code, MPI_Irecv(area_.next(), static_cast<int>(messages_.bytes), MPI_BYTE, from_, kTag, comm_, &request)});
  return code;
}

int Receiver::prepare() {
  if (messages_.mode != SendMode::kReady || posted_) return MPI_SUCCESS;
  posted_ = true;
  return post();
}

int Receiver::receive() {
  int code = MPI_SUCCESS;
  switch (messages_.mode) {
    case SendMode::kPersistent:
      code = MPI_Startall(messages_.count, requests_.data());
      return first_failure({code, wait_for(requests_)});
    case SendMode::kNonBlocking:
      code = post();
      return first_failure({code, wait_for(requests_)});
    case SendMode::kReady:
      code = prepare();
      posted_ = false;
      return first_failure({code, wait_for(requests_)});
    default:
      for (int i = 0; i < messages_.count; ++i)
        code = first_failure({code, MPI_Recv(area_.next(), static_cast<int>(messages_.bytes), MPI_BYTE, from_, kTag,
                                             comm_, MPI_STATUS_IGNORE)});
      return code;
  }
}

}  // namespace plumbline::bench
