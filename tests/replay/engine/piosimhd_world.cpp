#include "piosimhd_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::replay::test {

hw::Platform westmere_with_servers(const std::string& policy) {
  std::ostringstream xml;
  xml << std::ifstream(PLUMBLINE_PLATFORMS "/westmere.xml").rdbuf();
  std::string text = xml.str();
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("header=\"48B\"", "header=\"40B\"");  // the 8 B more are for messages of MPI
  std::string added;
  for (const char* node : {"n2", "n3"})
    added += fmt::format(
        "<server name=\"{0}-d\" node=\"{0}\">"
        "<disk average-seek=\"9ms\" track-to-track=\"1ms\" turn=\"8333333333ps\" rate=\"96MiB/s\"/>"
        "<cache policy=\"{1}\"/></server>",
        node, policy);
  added +=
      "<filesystem name=\"pvfs\"><path prefix=\"/pvfs\"/><distribution servers=\"n2-d n3-d\"/></filesystem>"
      "<place ranks=\"0\" node=\"n0\"/><place ranks=\"1\" node=\"n1\"/>";
  replace("<place ranks=\"0-119\" node=\"n0-n9\"/>", added);
  return hw::parse_platform(text, "westmere with servers");
}

Ends ends_of(const hw::Platform& platform, std::uint32_t first, Form form,
             const std::function<std::string(std::uint32_t rank)>& body) {
  std::string text =
      "ranks 2\nnode n0 ranks 0 cores 1\nnode n1 ranks 1 cores 1\nproperty library = \"MPICH 4.0.2\"\nproperty "
      "hints:/pvfs/x = striping_factor=2\n";
  for (std::uint32_t server = 0; server < 2; ++server)
    text += fmt::format("property hints:/pvfs/{0} = \"striping_factor=1\\nstart_iodevice={0}\"\n", server);
  for (std::uint32_t rank = 0; rank < kClients; ++rank)
    text += fmt::format("rank {}\n compute {}ps\n{} fsync file /pvfs/x\n", rank, rank == first ? 0 : 1, body(rank));
  const ReplayResult result = run(program_of(text), platform, Mode::kFree, form);
  Ends ends;
  for (const auto& times : result.times) {
    ends.ranks = std::max(ends.ranks, (times[times.size() - 2].end - Time{}).seconds());
    ends.disks = std::max(ends.disks, (times.back().end - Time{}).seconds());
  }
  return ends;
}

}  // namespace plumbline::replay::test
