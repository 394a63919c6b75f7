#pragma once
// The program file byte by byte (docs/internals/program-file.md): a header, the sections of every rank, members of
// communicators, texts, and last the tables that the header points to. Little-endian, everything 8-byte aligned, no
// padding inside records, so that the same program is the same bytes.

#include <array>
#include <cstddef>
#include <cstdint>

#include "replay/program/records.hpp"

namespace plumbline::replay::format {

inline constexpr std::array<char, 8> kMagic = {'P', 'L', 'U', 'M', 'B', 'P', 'R', 'G'};
inline constexpr std::uint32_t kByteOrder = 0x01020304;

struct Range {
  std::uint64_t offset = 0;  // from the start of the file
  std::uint64_t count = 0;   // records
};

enum Section : std::size_t {
  kOperations,
  kTimes,
  kRequestLists,
  kSendrecvs,
  kCollectives,
  kCounts,
  kAccesses,
  kInner,
  kInnerMessages,
  kInnerAccesses,
  kOffCpu,
  kReasons,
  kNeighbourhoods,
  kNeighbours,
  kRma,
  kGroups,
  kSections,
};

struct RankEntry {
  std::array<Range, kSections> sections;
  std::uint32_t request_slots = 0, node = 0, cores = 0, gap_cost_ps = 0, inner_slots = 0, processor = 0;
};

struct CommEntry {
  Range members, remote_members;
};

enum Table : std::size_t {
  kCallNames,
  kSiteTexts,
  kFilePaths,
  kLayoutTexts,
  kNodeNames,
  kReasonTexts,
  kHintTexts,
  kProperties,  // key, value, key, value, ..
  kTables,
};

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kFormatVersion, byte_order = kByteOrder;
  std::uint64_t file_bytes = 0;
  std::uint64_t content_key = 0;      // XXH3-64 of everything behind the header
  Range ranks;                        // RankEntry
  Range comms;                        // CommEntry
  std::array<Range, kTables> tables;  // Range each: a text, as bytes
  Range windows;                      // Window
};

static_assert(sizeof(OperationTimes) == 16 && sizeof(SendrecvTail) == 16 && sizeof(CollectiveTail) == 24);
static_assert(sizeof(IoAccess) == 32 && sizeof(OffCpu) == 16 && sizeof(Reason) == 8);
static_assert(sizeof(RmaTail) == 16 && sizeof(Window) == 8);
static_assert(sizeof(InnerItem) == 32 && sizeof(InnerMessage) == 32 && sizeof(InnerAccess) == 24);
static_assert(sizeof(NeighbourTail) == 16 && sizeof(Neighbour) == 16);
static_assert(sizeof(RankEntry) == 280 && sizeof(CommEntry) == 32 && sizeof(Header) == 208);

}  // namespace plumbline::replay::format
