#pragma once
// The page of the viewer with its places filled (viewer/web/page_data.hpp names them).

#include <string>
#include <string_view>

namespace plumbline::viewer {

struct PageParts {
  std::string title;       // escaped
  std::string style;       // of `markup`
  std::string markup;      // what is read until the script replaces it, and without scripts
  std::string data;        // JSON without "<"
  std::string later = {};  // escaped: of a button that puts the timeline in the place of `markup`; "": at once
};

// It may run the script and the style sheets that stand in it, by their hashes, and reach nothing. A fault of ours
// where the page has not those places.
std::string filled_page(std::string_view page, const PageParts& parts);

// The same without the page: `style` and `markup` alone, as well-formed XML.
std::string plain_page(const PageParts& parts);

}  // namespace plumbline::viewer
