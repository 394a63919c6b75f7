#include "bench/ranks/storage/one_of_each_node.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "bench/ranks/storage/clients.hpp"
#include "bench/ranks/storage/request.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/scratch.hpp"

namespace plumbline::bench {
namespace {

constexpr int kTag = 1;

// Cells travel as their parts: strings, numbers and times, each with its count before it.
class Parcel {
 public:
  void put(const std::string& text) {
    put_count(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put_count(values.size());
    const auto* const begin = reinterpret_cast<const char*>(values.data());
    bytes_.insert(bytes_.end(), begin, begin + values.size() * sizeof(T));
  }

  std::string text() {
    const std::size_t count = take_count();
    at_ += count;
    return {bytes_.data() + at_ - count, count};
  }
  template <class T>
  std::vector<T> values() {
    std::vector<T> values(take_count());
    const std::size_t size = values.size() * sizeof(T);
    std::copy_n(bytes_.data() + at_, size, reinterpret_cast<char*>(values.data()));
    at_ += size;
    return values;
  }

  std::vector<char>& bytes() { return bytes_; }
  bool is_at_end() const { return at_ >= bytes_.size(); }

 private:
  void put_count(std::uint64_t count) {
    const auto* const begin = reinterpret_cast<const char*>(&count);
    bytes_.insert(bytes_.end(), begin, begin + sizeof count);
  }
  std::uint64_t take_count() {
    std::uint64_t count = 0;
    std::copy_n(bytes_.data() + at_, sizeof count, reinterpret_cast<char*>(&count));
    at_ += sizeof count;
    return count;
  }

  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

void put(const Cell& cell, Parcel& into) {
  for (const std::string* text : {&cell.operation, &cell.implementation, &cell.timing, &cell.isolation, &cell.stop})
    into.put(*text);
  into.put(std::vector<std::uint64_t>{cell.bytes, cell.in_flight, cell.reached ? 1U : 0U, cell.numbers.size(),
                                      cell.words.size()});
  for (const auto& [name, value] : cell.numbers) {
    into.put(name);
    into.put(std::vector<double>{value});
  }
  for (const auto& [name, value] : cell.words) {
    into.put(name);
    into.put(value);
  }
  into.put(cell.seconds);
  into.put(cell.flags);
}

Cell take(Parcel& from) {
  Cell cell;
  for (std::string* text : {&cell.operation, &cell.implementation, &cell.timing, &cell.isolation, &cell.stop})
    *text = from.text();
  const auto counts = from.values<std::uint64_t>();
  cell.bytes = counts[0];
  cell.in_flight = static_cast<std::uint32_t>(counts[1]);
  cell.reached = counts[2] != 0;
  for (std::uint64_t i = 0; i < counts[3]; ++i) {
    const std::string name = from.text();
    cell.numbers[name] = from.values<double>().front();
  }
  for (std::uint64_t i = 0; i < counts[4]; ++i) {
    const std::string name = from.text();
    cell.words[name] = from.text();
  }
  cell.seconds = from.values<double>();
  cell.flags = from.values<std::uint8_t>();
  return cell;
}

std::vector<std::uint32_t> measuring_ranks(const Context& context, const Request& request) {
  const std::string which = word_of(request, "nodes", "first");
  if (which == "first") return {0};
  if (which != "all")
    throw Error(request.operation, "nodes is '" + which + "'", "write first or all", ExitCode::kWrongUse);
  const std::vector<std::uint32_t> order = client_order(context.places);  // begins with one of each node
  return {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(context.places.hosts.size())};
}

}  // namespace

void on_one_of_each_node(const Context& context, const Request& request,
                         const std::function<void(const std::function<void(Cell)>& give)>& part) {
  const auto me = static_cast<std::uint32_t>(rank_in(context.world));
  for (const std::uint32_t rank : measuring_ranks(context, request)) {
    Parcel parcel;
    together(context.world, [&] {
      if (me != rank) return;
      remove_abandoned(word_of(request, "directory", "."));
      part([&](const Cell& cell) { put(cell, parcel); });
    });
    std::vector<char>& bytes = parcel.bytes();
    auto size = static_cast<std::uint64_t>(bytes.size());
    must(MPI_Bcast(&size, 1, MPI_UINT64_T, static_cast<int>(rank), context.world));
    if (rank != 0 && me == rank) must(MPI_Send(bytes.data(), static_cast<int>(size), MPI_CHAR, 0, kTag, context.world));
    if (me != 0) continue;
    bytes.resize(size);
    if (rank != 0)
      must(MPI_Recv(bytes.data(), static_cast<int>(size), MPI_CHAR, static_cast<int>(rank), kTag, context.world,
                    MPI_STATUS_IGNORE));
    while (!parcel.is_at_end()) {
      Cell cell = take(parcel);
      cell.ranks = {rank};
      cell.words[cells::kNode] = context.places.hosts.at(context.places.node_of.at(rank));
      context.give(std::move(cell));
    }
  }
}

}  // namespace plumbline::bench
