#include "viewer/report/page_parts.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "viewer/server/encoding/sha256.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::string_view kStatic = "<!--plumbline-static-->", kData = "<!--plumbline-data-->";

struct Place {
  std::size_t begin = 0, end = 0;
};

// What stands between two texts, the first of them behind `from`.
Place between(std::string_view page, std::string_view before, std::string_view after, std::size_t from = 0) {
  const std::size_t at = page.find(before, from);
  PLUMBLINE_CHECK(at != page.npos, "the page has not " + std::string(before));
  const std::size_t begin = at + before.size(), end = page.find(after, begin);
  PLUMBLINE_CHECK(end != page.npos, "the page has not " + std::string(after) + " behind " + std::string(before));
  return {begin, end};
}

std::string_view text_at(std::string_view page, Place place) {
  return page.substr(place.begin, place.end - place.begin);
}

std::string policy(std::string_view scripts, std::string_view styles) {
  return fmt::format("default-src 'none'; {}style-src {}; {}base-uri 'none'; form-action 'none'", scripts, styles,
                     scripts.empty() ? "" : "img-src data: blob:; ");
}

std::string hash_of(std::string_view text) { return "'" + policy_hash(text) + "'"; }

// Undoes what the page of the timeline sets for a window that does not scroll.
constexpr std::string_view kWithinPage =
    "html,body,#page{height:auto}#page{display:block}body{background:var(--paper)}\n"
    "#page td,#page th{white-space:normal}#page .number{white-space:nowrap}#page th{position:static;background:none}\n"
    "#page h3{color:var(--ink)}\n"
    "#show-timeline{margin-bottom:1rem}@media print{#show-timeline{display:none}}\n"
    "#page .legend{display:block;border:0;padding:0}#page main{display:block;overflow:visible}\n"
    "#page section{padding:0;border:0}#page header{display:block;border-bottom:0;padding:0 0 0 1rem}\n"
    "#page header h1{font-size:1.7rem;font-weight:700;white-space:normal}\n"
    "#page ul{list-style:disc;padding-left:1.3rem}#page .parts{list-style:none;padding:0}#page li{margin:.2rem 0}\n";

std::string style_within_page(const PageParts& parts) { return parts.style + std::string(kWithinPage); }

}  // namespace

std::string filled_page(std::string_view page, const PageParts& parts) {
  const Place policy_place = between(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">");
  const Place title = between(page, "<title>", "</title>", policy_place.end);
  const Place style = between(page, "<style>", "</style>", title.end);
  const Place notice = between(page, "<noscript>", "</noscript>", style.end);
  const std::size_t fixed = page.find(kStatic, notice.end), data = page.find(kData, notice.end);
  PLUMBLINE_CHECK(fixed != page.npos && data != page.npos && fixed < data, "the page has no place for data");
  const Place script = between(page, "<script>", "</script>", data);
  const auto part = [&](std::size_t begin, std::size_t end) { return page.substr(begin, end - begin); };

  std::string text(part(0, policy_place.begin));
  text += policy(fmt::format("script-src {}; ", hash_of(text_at(page, script))),
                 hash_of(text_at(page, style)) + " " + hash_of(style_within_page(parts)));
  text += part(policy_place.end, title.begin);
  text += parts.title;
  text += part(title.end, notice.begin);
  text += "The timeline needs scripts; what follows does not.";
  text += part(notice.end, fixed);
  text += "<style>" + style_within_page(parts) + "</style>\n" + parts.markup;
  text += part(fixed + kStatic.size(), data);
  const std::string later = parts.later.empty() ? "" : fmt::format(" data-later=\"{}\"", parts.later);
  text += fmt::format("<script type=\"application/json\" id=\"plumbline-data\"{}>", later);
  text += parts.data;
  text += "</script>";
  text += page.substr(data + kData.size());
  return text;
}

std::string plain_page(const PageParts& parts) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"referrer\" content=\"no-referrer\"/>\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}"
      "</body>\n</html>\n",
      policy("", hash_of(parts.style)), parts.title, parts.style, parts.markup);
}

}  // namespace plumbline::viewer
