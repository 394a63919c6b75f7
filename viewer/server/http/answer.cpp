#include "viewer/server/http/answer.hpp"

#include "viewer/server/api.hpp"
#include "viewer/server/encoding/gzip.hpp"
#include "viewer/server/encoding/sha256.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::size_t kWorthCompressing = 1024;  // bytes: below it is one packet anyway
constexpr std::string_view kForEver = "private, max-age=31536000, immutable", kAskAgain = "no-cache",
                           kNever = "no-store";

void add(Answer& answer, std::string_view name, std::string_view value) { answer.headers.emplace_back(name, value); }

void add_protection(Answer& answer, std::string_view policy) {
  add(answer, "Content-Security-Policy", policy);
  add(answer, "X-Content-Type-Options", "nosniff");
  add(answer, "Referrer-Policy", "no-referrer");
  add(answer, "Cross-Origin-Resource-Policy", "same-origin");
  add(answer, "Cross-Origin-Opener-Policy", "same-origin");
}

// Whether the browser has what `tag` names (RFC 9110, 13.1.2).
bool has(std::string_view if_none_match, std::string_view tag) {
  return if_none_match == "*" || (!tag.empty() && if_none_match.find(tag) != if_none_match.npos);
}

Answer answer_page(const Site& site, const Incoming& incoming) {
  Answer answer;
  std::optional<PageFile> file = file_of(site.page, incoming.head.target);
  if (!file) {
    add(answer, "Content-Type", "text/plain; charset=utf-8");
    answer.status = 404;
    answer.body = "There is no such file.\n";
    return answer;
  }
  if (incoming.head.method != "GET" && incoming.head.method != "HEAD") {
    add(answer, "Content-Type", "text/plain; charset=utf-8");
    add(answer, "Allow", "GET, HEAD");
    answer.status = 405;
    answer.body = "The page can only be read.\n";
    return answer;
  }
  const std::string tag = '"' + file->tag + '"';
  add(answer, "ETag", tag);
  add(answer, "Cache-Control", kAskAgain);
  add(answer, "Vary", "Accept-Encoding");
  if (has(incoming.if_none_match, tag)) {
    answer.status = 304;
    return answer;
  }
  add(answer, "Content-Type", file->type);
  if (file->compressed.empty()) {
    answer.body = std::move(file->text);
  } else if (accepts_gzip(incoming.accept_encoding)) {
    add(answer, "Content-Encoding", "gzip");
    answer.body = std::move(file->compressed);
  } else {
    answer.body = gunzip(file->compressed, kMostPageBytes).value_or("");
  }
  return answer;
}

// The address of an immutable response names its content.
std::string tag_of(const Response& response, std::string_view target) {
  return response.immutable ? '"' + policy_hash(target).substr(7, 22) + '"' : "";
}

Answer answer_endpoint(const Site& site, const Incoming& incoming) {
  Response response = handle(*site.opened, {incoming.head.method, incoming.head.target, incoming.body});
  Answer answer;
  answer.status = response.status;
  const std::string tag = tag_of(response, incoming.head.target);
  if (!tag.empty()) add(answer, "ETag", tag);
  add(answer, "Cache-Control", response.immutable ? kForEver : kNever);
  add(answer, "Vary", "Accept-Encoding, Authorization");
  if (has(incoming.if_none_match, tag) && response.status == 200) {
    answer.status = 304;
    return answer;
  }
  add(answer, "Content-Type", response.type);
  answer.body = std::move(response.body);
  if (answer.body.size() >= kWorthCompressing && accepts_gzip(incoming.accept_encoding)) {
    add(answer, "Content-Encoding", "gzip");
    answer.body = gzip(answer.body, 1);
  }
  return answer;
}

Answer refused(const Refusal& refusal) {
  Response response = error_response(refusal.status, refusal.text);
  Answer answer;
  answer.status = refusal.status;
  if (refusal.status == 401) add(answer, "WWW-Authenticate", "Bearer");
  if (refusal.status == 405) add(answer, "Allow", "GET, HEAD, POST, DELETE");
  add(answer, "Content-Type", response.type);
  add(answer, "Cache-Control", kNever);
  answer.body = std::move(response.body);
  return answer;
}

}  // namespace

Answer answer(const Site& site, const Incoming& incoming) {
  const std::optional<Refusal> refusal = refusal_of(site.guard, incoming.head);
  const bool is_page = is_of_page(incoming.head.target);
  Answer result = refusal ? refused(*refusal) : is_page ? answer_page(site, incoming) : answer_endpoint(site, incoming);
  add_protection(result, is_page ? std::string_view(site.page.policy) : "default-src 'none'; frame-ancestors 'none'");
  return result;
}

}  // namespace plumbline::viewer
