#include "hwmodels/platform/xml/storage_writer.hpp"

#include <fmt/format.h>

#include "hwmodels/platform/xml/write_fields.hpp"
#include "hwmodels/platform/xml/xml_line.hpp"

namespace plumbline::hw {
namespace {

std::string write_device(const Device& device) {
  if (device.disk) return write_part("disk", *device.disk);
  if (device.flash) return write_part("flash", *device.flash);
  return device.simple ? write_part("device", *device.simple) : "";
}

}  // namespace

std::string write_server(const Platform& platform, const Server& server) {
  XmlLine line(1, "server");
  line.add("name", server.name).add("node", platform.nodes[server.node].name);
  fields(server, WriteFields(line));
  return line.opened() + write_device(server.device) + write_part("cache", server.cache) + "  </server>\n";
}

std::string write_distribution(const Platform& platform, const Distribution& distribution) {
  if (distribution.servers.empty()) return "";
  std::string servers;
  for (const std::uint32_t server : distribution.servers)
    servers += (servers.empty() ? "" : " ") + platform.servers[server].name;
  XmlLine line(2, "distribution");
  line.add("servers", servers);
  fields(distribution, WriteFields(line));
  if (distribution.metadata) {
    line.add("metadata", platform.servers[*distribution.metadata].name);
    metadata_fields(distribution, WriteFields(line));
  }
  return line.closed();
}

}  // namespace plumbline::hw
