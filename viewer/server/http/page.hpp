#pragma once
// The page and its files: part of the command, or of a directory while the page is worked on.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plumbline::viewer {

// A file of the page. One of `text` and `compressed` is there.
struct PageFile {
  std::string type;
  std::string text = {}, compressed = {};  // compressed: gzip
  std::string tag = {};                    // changes with the content
};

struct Page {
  PageFile index;
  std::string policy;            // Content-Security-Policy
  std::filesystem::path assets;  // directory of further files; empty: there are none
};

// Of what was embedded; where nothing was, plain text that says what to do.
Page embedded_page(std::span<const std::byte> gzip);

// Of a directory with index.html. Error where there is none.
Page page_of(const std::filesystem::path& assets);

// The file of an address ("/", "/app.js?v=1"); nothing where there is no such file. `target` is_of_page.
std::optional<PageFile> file_of(const Page& page, std::string_view target);

// A policy that lets the page run the scripts that stand in it and those of its own directory, and reach nobody but
// its server.
std::string policy_for(std::string_view html);

}  // namespace plumbline::viewer
