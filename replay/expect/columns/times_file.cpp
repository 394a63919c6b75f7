#include "replay/expect/columns/times_file.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string>

#include "base/error.hpp"
#include "base/files/mapped_file.hpp"

namespace plumbline::replay {
namespace {

constexpr std::array<char, 8> kMagic = {'P', 'L', 'T', 'I', 'M', 'E', 'S', '1'};

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint64_t content_key = 0, ranks = 0, reserved = 0;
};
static_assert(sizeof(Header) == 32);

template <class T>
void put(std::ofstream& out, std::span<const T> values) {
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

[[noreturn]] void damaged(const std::filesystem::path& file, const char* what) {
  throw Error(file.string(), what, "replay again");
}

// Takes values from the front of `bytes`.
template <class T>
void take(const std::filesystem::path& file, std::span<const std::byte>& bytes, std::span<T> values) {
  if (bytes.size() < values.size_bytes()) damaged(file, "is cut short");
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size_bytes());
  bytes = bytes.subspan(values.size_bytes());
}

Column<OperationTimes> take_rank(const std::filesystem::path& file, std::span<const std::byte>& bytes,
                                 std::size_t operations, const Scratch& scratch) {
  if (bytes.size() / sizeof(OperationTimes) < operations) damaged(file, "is cut short");
  Column<OperationTimes> times(scratch);
  times.resize(operations);
  take<OperationTimes>(file, bytes, times);
  Time before = times.empty() ? Time{} : times.front().begin;
  for (const OperationTimes& each : times) {
    if (each.begin < before || each.end < each.begin) damaged(file, "has an operation that ends before it begins");
    before = each.begin;
  }
  return times;
}

}  // namespace

void write_times(const std::filesystem::path& file, const Program& program,
                 const std::vector<Column<OperationTimes>>& times) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  const Header header{kMagic, program.content_key(), program.ranks(), 0};
  put(out, std::span(&header, 1));
  for (const Column<OperationTimes>& rank : times) {
    const std::uint64_t operations = rank.size();
    put(out, std::span(&operations, 1));
  }
  for (const Column<OperationTimes>& rank : times) put<OperationTimes>(out, rank);
  if (!out.flush()) throw_system_error(file.string(), "cannot be written", errno);
}

std::vector<Column<OperationTimes>> read_times(const std::filesystem::path& file, const Program& program,
                                               const Scratch& scratch) {
  const MappedFile mapped(file);
  std::span<const std::byte> bytes = mapped.bytes();
  Header header;
  take(file, bytes, std::span(&header, 1));
  if (header.magic != kMagic) damaged(file, "is no file of times");
  if (header.content_key != program.content_key() || header.ranks != program.ranks())
    damaged(file, "is of another program");
  std::vector<std::uint64_t> operations(program.ranks());
  take<std::uint64_t>(file, bytes, operations);
  std::vector<Column<OperationTimes>> times;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    if (operations[rank] != program.rank(rank).operations.size()) damaged(file, "has another number of operations");
    times.push_back(take_rank(file, bytes, operations[rank], scratch));
  }
  if (!bytes.empty()) damaged(file, "goes on behind its end");
  return times;
}

}  // namespace plumbline::replay
