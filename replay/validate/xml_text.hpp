#pragma once
// Text that may stand in XML 1.0: what names of nodes, files and settings hold is not ours to choose.

#include <string>
#include <string_view>

namespace plumbline::validate {

// UTF-8 of characters that XML allows; every other byte or character is U+FFFD. Markup is left alone: that is escaped
// by whoever writes it.
std::string xml_text(std::string_view text);

}  // namespace plumbline::validate
