#include "hwmodels/platform_storage_writer.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/quantity.hpp"
#include "hwmodels/platform_storage_words.hpp"
#include "hwmodels/xml_line.hpp"

namespace plumbline::hw {
namespace {

std::string number(std::uint32_t count) { return fmt::format("{}", count); }

std::string_view word_of(CachePolicy policy) {
  for (const WordOf<CachePolicy>& word : kCachePolicies)
    if (word.value == policy) return word.word;
  return "";
}

std::string write_device(const Device& device) {
  if (device.disk) {
    const HardDisk& disk = *device.disk;
    XmlLine line(2, "disk");
    line.add("average-seek", disk.average_seek).add("track-to-track", disk.track_to_track).add("turn", disk.turn);
    return line.add("close", format_exact(disk.close)).add("rate", disk.rate).closed();
  }
  if (device.flash) {
    const Flash& flash = *device.flash;
    XmlLine line(2, "flash");
    line.add("read-latency", flash.read_latency).add("write-latency", flash.write_latency);
    line.add("read-rate", flash.read_rate).add("write-rate", flash.write_rate);
    return line.add("channels", number(flash.channels)).add("queue-depth", number(flash.queue_depth)).closed();
  }
  if (!device.simple) return "";
  return XmlLine(2, "device").add("latency", device.simple->latency).add("rate", device.simple->rate).closed();
}

std::string write_cache(const ServerCache& cache) {
  XmlLine line(2, "cache");
  line.add("policy", word_of(cache.policy)).add("memory", format_exact(cache.memory));
  line.add("granularity", format_exact(cache.granularity)).add("concurrent", number(cache.concurrent));
  if (cache.dirty_background) line.add("dirty-background", format_exact(*cache.dirty_background));
  if (cache.dirty_limit) line.add("dirty-limit", format_exact(*cache.dirty_limit));
  return line.closed();
}

}  // namespace

std::string write_server(const Platform& platform, const Server& server) {
  XmlLine line(1, "server");
  line.add("name", server.name).add("node", platform.nodes[server.node].name);
  if (server.request != Parameter<Duration>{}) line.add("request", server.request);
  return line.opened() + write_device(server.device) + write_cache(server.cache) + "  </server>\n";
}

std::string write_distribution(const Platform& platform, const Distribution& distribution) {
  if (distribution.servers.empty()) return "";
  std::string servers;
  for (const std::uint32_t server : distribution.servers)
    servers += (servers.empty() ? "" : " ") + platform.servers[server].name;
  XmlLine line(2, "distribution");
  line.add("servers", servers).add("stripe", format_exact(distribution.stripe));
  if (distribution.stripe_count != 0) line.add("count", number(distribution.stripe_count));
  if (distribution.local) line.add("local", "yes");
  if (distribution.list_limit != 0) line.add("list-limit", number(distribution.list_limit));
  if (distribution.metadata) {
    line.add("metadata", platform.servers[*distribution.metadata].name);
    line.add("create", distribution.create).add("lookup", distribution.lookup).add("stat", distribution.stat);
    if (distribution.close) line.add("close", *distribution.close);
  }
  return line.closed();
}

}  // namespace plumbline::hw
