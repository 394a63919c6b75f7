#include "replay/expect/bands.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"
#include "hwmodels/platform/fields/storage_fields.hpp"
#include "hwmodels/storage/storage.hpp"

namespace plumbline::replay::expect {
namespace {

using replay::Operation;
using replay::OpKind;

// The largest spread seen.
class Widest {
 public:
  template <class T>
  Widest& add(const hw::Parameter<T>& parameter) {
    return add(parameter.spread);
  }
  template <class T>
  Widest& add(const std::optional<hw::Parameter<T>>& parameter) {
    return parameter ? add(*parameter) : *this;
  }
  // All numbers of a part.
  template <class Part>
  Widest& add_all(const Part& part) {
    hw::fields(part, *this);
    return *this;
  }
  // As a visitor of fields(). Only parameters have spreads.
  template <class T>
  void operator()(const hw::Field&, const T& value) {
    if constexpr (requires { add(value); }) add(value);
  }
  Widest& add(double spread) {
    widest_ = std::max(widest_, spread);
    return *this;
  }

  double spread() const { return widest_; }

 private:
  double widest_ = 0;
};

// The gaps of LogGP have no part in it.
double spread_of(const hw::MessageRange& range) {
  Widest widest;
  hw::fields(range, hw::NetworkKind::kStoreAndForward, [&](const hw::Field& field, const auto& value) {
    if (!std::string_view(field.name).starts_with("gap")) widest(field, value);
  });
  return widest.spread();
}

// What messages cross inside of nodes.
double spread_inside(const hw::Platform& platform) {
  Widest widest;
  for (const hw::Node& node : platform.nodes) {
    if (node.sockets)
      widest.add_all(*node.sockets);
    else
      widest.add(node.memory_rate);
  }
  return widest.spread();
}

// All of it: which way a message takes is not asked.
double spread_of_network(const hw::Platform& platform) {
  Widest widest;
  widest.add(spread_inside(platform));
  for (const hw::Node& node : platform.nodes) widest.add(node.interface_rate);
  for (const hw::Switch& device : platform.switches) widest.add_all(device);
  for (const hw::Edge& edge : platform.edges) widest.add_all(edge);
  return widest.spread();
}

double spread_of_device(const hw::Device& device, hw::Access kind) {
  Widest widest;
  if (device.disk) widest.add_all(*device.disk);
  if (device.flash)
    hw::fields(*device.flash, [&](const hw::Field& field, const auto& value) {
      if (std::string_view(field.name).starts_with(kind == hw::Access::kRead ? "read-" : "write-"))
        widest(field, value);
    });
  if (device.simple) widest.add_all(*device.simple);
  return widest.spread();
}

double spread_of_servers(const hw::Platform& platform, const hw::Distribution& distribution, hw::Access kind) {
  Widest widest;
  for (const std::uint32_t server : distribution.servers)
    widest.add(platform.servers[server].request).add(spread_of_device(platform.servers[server].device, kind));
  return widest.spread();
}

// Costs of the client, and what is on the way to the servers and in them.
FileSpreads spreads_of_distributed(const hw::Platform& platform, const hw::FileSystem& fs) {
  const hw::Distribution& distribution = fs.distribution;
  const double network = distribution.local ? spread_inside(platform) : spread_of_network(platform);
  const double read = std::max(network, spread_of_servers(platform, distribution, hw::Access::kRead));
  const double write = std::max(network, spread_of_servers(platform, distribution, hw::Access::kWrite));
  Widest open, close;
  open.add(fs.open);
  close.add(fs.close);
  if (distribution.metadata) open.add(network).add(distribution.create).add(distribution.lookup);
  if (distribution.metadata && distribution.close) close.add(network).add(distribution.close);
  return {Widest().add_all(fs.cached_read).add(read).spread(), Widest().add_all(fs.cached_write).add(write).spread(),
          open.spread(), close.spread(), Widest().add(fs.sync).add(write).spread()};
}

bool is_file_call(OpKind kind) {
  switch (kind) {
    case OpKind::kIoOpen:
    case OpKind::kIoClose:
    case OpKind::kIoSync:
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      return true;
    default:
      return false;
  }
}

}  // namespace

FileSpreads spreads_of(const hw::Platform& platform, const hw::FileSystem& fs) {
  if (!fs.distribution.servers.empty()) return spreads_of_distributed(platform, fs);
  return {Widest().add_all(fs.cached_read).add_all(fs.device_read).spread(),
          Widest().add_all(fs.cached_write).add_all(fs.device_write).spread(), fs.open.spread, fs.close.spread,
          Widest().add(fs.sync).add(fs.device_write.rate).spread()};
}

Spreads::Spreads(const replay::Program& program, const hw::Platform& platform) : platform_(platform) {
  std::map<std::uint32_t, FileSpreads> known;  // by file system
  for (std::uint32_t file = 0; file < program.files(); ++file) {
    FileSpreads& spreads = files_.emplace_back();
    const std::optional<std::uint32_t> fs = hw::file_system_of(platform, std::string(program.file(file)));
    if (!fs) continue;
    const auto [found, is_new] = known.try_emplace(*fs);
    if (is_new) found->second = spreads_of(platform, platform.file_systems[*fs]);
    spreads = found->second;
  }
}

double Spreads::of(const Operation& operation) const {
  return is_file_call(operation.kind) ? of_file(operation) : of_messages(Bytes{operation.bytes});
}

double Spreads::of_messages(Bytes size) const {
  Widest widest;
  for (const hw::Transport* transport : {&platform_.inside, &platform_.between}) {
    if (transport->ranges.empty()) continue;
    const hw::MessageRange& range = hw::range_of(*transport, size);
    widest.add(spread_of(range));
    if (range.protocol == hw::Protocol::kRendezvous) widest.add(transport->send_buffer);
  }
  return widest.spread();
}

// MPI-IO may read what it writes around (data sieving), and ranks of a collective call exchange messages.
double Spreads::of_file(const Operation& operation) const {
  const FileSpreads& file = files_[operation.comm];
  const bool is_mpi = (operation.flags & replay::kIoIsMpi) != 0;
  const double messages = (operation.flags & replay::kIoIsCollective) != 0 ? of_messages(Bytes{operation.bytes}) : 0;
  switch (operation.kind) {
    case OpKind::kIoRead:
      return std::max(file.read, messages);
    case OpKind::kIoWrite:
      return std::max({file.write, is_mpi ? file.read : 0, messages});
    case OpKind::kIoOpen:
      return std::max(file.open, messages);
    case OpKind::kIoClose:
      return std::max(file.close, messages);
    default:
      return std::max(file.sync, messages);
  }
}

}  // namespace plumbline::replay::expect
