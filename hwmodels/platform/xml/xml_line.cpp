#include "hwmodels/platform/xml/xml_line.hpp"

namespace plumbline::hw {

std::string escaped_xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          result += fmt::format("&#{};", static_cast<int>(c));  // a reader may turn a bare line end into a space
        else
          result += c;
    }
  }
  return result;
}

}  // namespace plumbline::hw
