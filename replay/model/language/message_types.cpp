#include "replay/model/language/message_types.hpp"

#include <algorithm>
#include <cctype>

namespace plumbline::replay::model {
namespace {

using enum Attribute;

constexpr std::array<std::string_view, kAttributes> kNames = {"size",     "from",    "to",     "tag",          "root",
                                                              "recvsize", "recvtag", "offset", "displacement", "least",
                                                              "file",     "view",    "request"};

constexpr MessageType send(std::string_view name, std::uint8_t flags = 0) {
  return {name, OpKind::kSend, flags, set_of({kSize, kTo}), set_of({kFrom, kTag})};
}
constexpr MessageType begun_send(std::string_view name, std::uint8_t flags = 0) {
  return {name, OpKind::kIsend, flags, set_of({kSize, kTo}), set_of({kFrom, kTag, kRequest})};
}

constexpr bool has_root(Collective collective) {
  return collective == Collective::kBcast || collective == Collective::kGather || collective == Collective::kScatter ||
         collective == Collective::kReduce;
}
constexpr MessageType collective(std::string_view name, Collective collective) {
  const AttributeSet required = collective == Collective::kBarrier ? 0 : set_of({kSize});
  return {name, OpKind::kCollective, 0, required, has_root(collective) ? set_of({kRoot}) : 0, collective};
}
constexpr MessageType begun(std::string_view name, Collective kind) {
  MessageType type = collective(name, kind);
  type.kind = OpKind::kNonBlockingCollective;
  type.optional |= set_of({kRequest});
  return type;
}

constexpr MessageType on_file(std::string_view name, OpKind kind) {
  return {name, kind, kIoIsMpi | kIoIsCollective, set_of({kFile}), 0};
}
constexpr MessageType access(std::string_view name, OpKind kind, std::uint8_t flags) {
  const AttributeSet optional = set_of({kView, kDisplacement}) | ((flags & kNonBlocking) != 0 ? set_of({kRequest}) : 0);
  return {name, kind, static_cast<std::uint8_t>(kIoIsMpi | flags), set_of({kFile, kOffset, kSize}), optional};
}

constexpr std::array kTypes{
    send("MPI_Send"),
    send("MPI_Ssend", kSynchronous),
    send("MPI_Bsend", kBuffered),
    begun_send("MPI_Isend"),
    begun_send("MPI_Issend", kSynchronous),
    begun_send("MPI_Ibsend", kBuffered),
    MessageType{"MPI_Recv", OpKind::kRecv, 0, set_of({kSize, kFrom}), set_of({kTo, kTag})},
    MessageType{"MPI_Irecv", OpKind::kIrecv, 0, set_of({kSize, kFrom}), set_of({kTo, kTag, kRequest})},
    MessageType{"MPI_Sendrecv", OpKind::kSendrecv, 0, set_of({kSize, kFrom, kTo}),
                set_of({kTag, kReceiveSize, kReceiveTag})},
    MessageType{"MPI_Probe", OpKind::kProbe, 0, set_of({kFrom}), set_of({kTo, kTag})},
    MessageType{"MPI_Wait", OpKind::kWait, 0, 0, set_of({kRequest})},
    MessageType{"MPI_Waitall", OpKind::kWait, 0, 0, set_of({kRequest}), Collective::kBarrier, true},
    collective("MPI_Barrier", Collective::kBarrier),
    collective("MPI_Bcast", Collective::kBcast),
    collective("MPI_Gather", Collective::kGather),
    collective("MPI_Scatter", Collective::kScatter),
    collective("MPI_Allgather", Collective::kAllgather),
    collective("MPI_Alltoall", Collective::kAlltoall),
    collective("MPI_Allreduce", Collective::kAllreduce),
    collective("MPI_Reduce", Collective::kReduce),
    collective("MPI_Reduce_scatter_block", Collective::kReduceScatter),
    collective("MPI_Scan", Collective::kScan),
    collective("MPI_Exscan", Collective::kExscan),
    begun("MPI_Ibarrier", Collective::kBarrier),
    begun("MPI_Ibcast", Collective::kBcast),
    begun("MPI_Igather", Collective::kGather),
    begun("MPI_Iscatter", Collective::kScatter),
    begun("MPI_Iallgather", Collective::kAllgather),
    begun("MPI_Ialltoall", Collective::kAlltoall),
    begun("MPI_Iallreduce", Collective::kAllreduce),
    begun("MPI_Ireduce", Collective::kReduce),
    begun("MPI_Ireduce_scatter_block", Collective::kReduceScatter),
    begun("MPI_Iscan", Collective::kScan),
    begun("MPI_Iexscan", Collective::kExscan),
    on_file("MPI_File_open", OpKind::kIoOpen),
    on_file("MPI_File_close", OpKind::kIoClose),
    on_file("MPI_File_sync", OpKind::kIoSync),
    access("MPI_File_read_at", OpKind::kIoRead, 0),
    access("MPI_File_read_at_all", OpKind::kIoRead, kIoIsCollective),
    access("MPI_File_iread_at", OpKind::kIoRead, kNonBlocking),
    access("MPI_File_write_at", OpKind::kIoWrite, 0),
    access("MPI_File_write_at_all", OpKind::kIoWrite, kIoIsCollective),
    access("MPI_File_iwrite_at", OpKind::kIoWrite, kNonBlocking),
};

bool equal_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::string_view name_of(Attribute attribute) { return kNames[static_cast<std::size_t>(attribute)]; }

std::optional<Attribute> attribute_called(std::string_view name) {
  for (std::size_t i = 0; i < kAttributes; ++i)
    if (kNames[i] == name) return static_cast<Attribute>(i);
  return std::nullopt;
}

std::span<const MessageType> message_types() { return kTypes; }

const MessageType* message_type(std::string_view name) {
  const auto found =
      std::ranges::find_if(kTypes, [&](const MessageType& type) { return equal_letters(type.name, name); });
  return found == kTypes.end() ? nullptr : &*found;
}

}  // namespace plumbline::replay::model
