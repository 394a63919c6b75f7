#pragma once
// Reads <node> and <nodes>.

#include <tinyxml2.h>

#include <vector>

#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/xml/xml_element.hpp"

namespace plumbline::hw {

struct NodesRead {
  std::vector<Node> nodes;  // one, or as many as the range of names holds
  bool has_interface = false;
};

// `element` wraps `xml`. A node without sockets needs a memory rate where messages cross components.
NodesRead read_nodes(const tinyxml2::XMLElement& xml, XmlElement element, NetworkKind network);

}  // namespace plumbline::hw
