#include "viewer/server/http/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "viewer/server/encoding/gzip.hpp"
#include "viewer/server/encoding/sha256.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::string_view kNoPage =
    "This plumbline was built without its page, because npm was not there.\n\n"
    "Install nodejs and npm, then build again; or give the directory of a built page with --assets.\n"
    "The endpoints below /api/v1 are served as they are described in docs/reference/viewer-api.md.\n";

std::string tag_of(std::string_view content) { return policy_hash(content).substr(7, 22); }

std::string_view type_of(const std::filesystem::path& name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTypes{{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".map", "application/json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
  }};
  const auto type = std::ranges::find(kTypes, name.extension().string(), [](const auto& pair) { return pair.first; });
  return type == kTypes.end() ? "application/octet-stream" : type->second;
}

std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

PageFile file_with(std::string text, std::string_view type) {
  PageFile file{std::string(type)};
  file.tag = tag_of(text);
  file.text = std::move(text);
  return file;
}

}  // namespace

std::string policy_for(std::string_view html) {
  constexpr std::string_view kOpen = "<script", kClose = "</script>";
  std::string hashes;
  for (std::size_t at = html.find(kOpen); at != html.npos; at = html.find(kOpen, at)) {
    const std::size_t begin = html.find('>', at), end = html.find(kClose, at);
    if (begin == html.npos || end == html.npos || end < begin) break;
    const std::string_view script = html.substr(begin + 1, end - begin - 1);
    if (!script.empty()) hashes += fmt::format(" '{}'", policy_hash(script));
    at = end;
  }
  return fmt::format(
      "default-src 'none'; script-src 'self'{}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
      "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      hashes);
}

Page embedded_page(std::span<const std::byte> gzip) {
  const std::string_view compressed(reinterpret_cast<const char*>(gzip.data()), gzip.size());
  const std::optional<std::string> html = gzip.empty() ? std::nullopt : gunzip(compressed, kMostPageBytes);
  if (!html) return {file_with(std::string(kNoPage), "text/plain; charset=utf-8"), policy_for(""), {}};
  PageFile index{"text/html; charset=utf-8"};
  index.compressed = compressed;
  index.tag = tag_of(compressed);
  return {std::move(index), policy_for(*html), {}};
}

Page page_of(const std::filesystem::path& assets) {
  const std::filesystem::path index = assets / "index.html";
  if (!std::filesystem::is_regular_file(index))
    throw Error(assets.string(), "has no index.html", "name the directory of a built page");
  std::string html = content_of(index);
  std::string policy = policy_for(html);
  return {file_with(std::move(html), type_of(index)), std::move(policy), assets};
}

std::optional<PageFile> file_of(const Page& page, std::string_view target) {
  const std::string_view name = target.substr(1, target.find('?') - 1);
  if (name.empty() || name == "index.html") return page.index;
  if (page.assets.empty()) return std::nullopt;
  const std::filesystem::path path = page.assets / name;
  std::error_code none;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, none)) ||
      std::filesystem::file_size(path, none) > kMostPageBytes)
    return std::nullopt;
  return file_with(content_of(path), type_of(path));
}

}  // namespace plumbline::viewer
