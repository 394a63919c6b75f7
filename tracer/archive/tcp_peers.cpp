#include "tracer/archive/tcp_peers.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "tracer/archive/names.hpp"

namespace plumbline::archive {
namespace {

// Of "from=10.0.0.1 to=10.0.0.2 connections=1".
std::map<std::string_view, std::string_view> fields_of(std::string_view text) {
  std::map<std::string_view, std::string_view> fields;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(' '));
    const std::size_t equals = field.find('=');
    if (equals != std::string_view::npos) fields.emplace(field.substr(0, equals), field.substr(equals + 1));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
  }
  return fields;
}

std::optional<std::uint64_t> count_of(const std::map<std::string_view, std::string_view>& fields,
                                      std::string_view name) {
  const auto field = fields.find(name);
  if (field == fields.end()) return {};
  std::uint64_t value = 0;
  const char* const end = field->second.data() + field->second.size();
  const auto [stopped, fault] = std::from_chars(field->second.data(), end, value);
  if (fault != std::errc{} || stopped != end) return {};
  return value;
}

std::optional<TcpPeer> peer_of(std::string_view text) {
  const auto fields = fields_of(text);
  const auto from = fields.find("from"), to = fields.find("to");
  const auto connections = count_of(fields, "connections"), again = count_of(fields, "again");
  if (from == fields.end() || to == fields.end() || !connections || !again) return {};
  TcpPeer peer;
  peer.from = from->second;
  peer.to = to->second;
  peer.connections = *connections;
  peer.segments = count_of(fields, "segments");
  peer.again = *again;
  if (const auto rtt = count_of(fields, "min_rtt_us")) peer.min_rtt_us = static_cast<double>(*rtt);
  return peer;
}

}  // namespace

std::vector<TcpPeer> tcp_peers(const Definitions& definitions) {
  std::vector<TcpPeer> peers;
  for (const LocationGroup& group : definitions.location_groups) {
    const auto host = group.properties.find(names::kPropertyHost);
    for (auto property = group.properties.lower_bound(kTcpPeer);
         property != group.properties.end() && property->first.starts_with(kTcpPeer); ++property) {
      std::optional<TcpPeer> peer = peer_of(property->second);
      if (!peer) continue;
      if (host != group.properties.end()) peer->host = host->second;
      peers.push_back(*std::move(peer));
    }
  }
  return peers;
}

}  // namespace plumbline::archive
