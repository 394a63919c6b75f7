#include "base/text/xml_text.hpp"

#include <gtest/gtest.h>

namespace plumbline {
namespace {

constexpr const char* kLost = "\xef\xbf\xbd";

TEST(XmlText, LeavesUtf8Alone) { EXPECT_EQ(xml_text("aé€😀\t\n<&>"), "aé€😀\t\n<&>"); }

TEST(XmlText, ReplacesBytesThatAreNoCharacter) {
  EXPECT_EQ(xml_text("a\xff"), std::string("a") + kLost);
  EXPECT_EQ(xml_text("\xc3"), kLost);                                       // cut off
  EXPECT_EQ(xml_text("\xe6\x97"), std::string(kLost) + kLost);              // likewise
  EXPECT_EQ(xml_text("\xc0\xaf"), std::string(kLost) + kLost);              // overlong
  EXPECT_EQ(xml_text("\xed\xa0\x80"), std::string(kLost) + kLost + kLost);  // a surrogate
  EXPECT_EQ(xml_text("\xf4\x90\x80\x80").size(), 4 * 3U);                   // beyond U+10FFFF
}

TEST(XmlText, ReplacesCharactersThatXmlDoesNotAllow) {
  EXPECT_EQ(xml_text(std::string_view("\0", 1)), kLost);
  EXPECT_EQ(xml_text("\x1b[31m"), std::string(kLost) + "[31m");
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), kLost);
  EXPECT_EQ(xml_text("\xc2\x85"), kLost);
}

TEST(XmlText, EscapesMarkupWhereThatIsAsked) {
  EXPECT_EQ(escaped("µ日"), "µ日");
  EXPECT_EQ(escaped("a<b & \"c\">'\xff"), std::string("a&lt;b &amp; &quot;c&quot;&gt;&#39;") + kLost);
}

}  // namespace
}  // namespace plumbline
