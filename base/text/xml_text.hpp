#pragma once
// Text that may stand in XML 1.0, SVG and HTML: what names of nodes, files and settings hold is not ours to choose.

#include <string>
#include <string_view>

namespace plumbline {

// UTF-8 of characters that XML allows; every other byte or character is U+FFFD. Markup is left alone: that is escaped
// by whoever writes it.
std::string xml_text(std::string_view text);

// The same with & < > " ' escaped: as the content of an element, or as the value of an attribute.
std::string escaped(std::string_view text);

}  // namespace plumbline
