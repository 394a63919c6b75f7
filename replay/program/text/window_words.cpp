#include "replay/program/text/window_words.hpp"

namespace plumbline::replay {
namespace {

struct Word {
  std::string_view word;
  OpKind kind;
  bool of_all = false;  // has a form with _all
};

constexpr std::array<Word, 15> kWords = {{{"win_create", OpKind::kWinCreate},
                                          {"win_free", OpKind::kWinFree},
                                          {"win_fence", OpKind::kWinFence},
                                          {"win_post", OpKind::kWinPost},
                                          {"win_start", OpKind::kWinStart},
                                          {"win_complete", OpKind::kWinComplete},
                                          {"win_wait", OpKind::kWinWait},
                                          {"win_lock", OpKind::kWinLock, true},
                                          {"win_unlock", OpKind::kWinUnlock, true},
                                          {"win_flush", OpKind::kWinFlush, true},
                                          {"win_sync", OpKind::kWinSync},
                                          {"put", OpKind::kRmaPut},
                                          {"get", OpKind::kRmaGet},
                                          {"accumulate", OpKind::kRmaAccumulate},
                                          {"fetch", OpKind::kRmaFetch}}};

bool take_suffix(std::string_view& word, std::string_view suffix) {
  if (!word.ends_with(suffix)) return false;
  word.remove_suffix(suffix.size());
  return true;
}

}  // namespace

std::optional<WindowVerb> window_verb(std::string_view word) {
  WindowVerb verb;
  const bool all = take_suffix(word, "_all"), local = take_suffix(word, "_local");
  verb.flags = static_cast<std::uint8_t>((all ? kWinAll : 0) | (local ? kWinLocal : 0));
  for (const Word& known : kWords) {
    verb.kind = known.kind;
    verb.has_request = is_rma_transfer(known.kind) && word.starts_with('r') && word.substr(1) == known.word;
    if (word != known.word && !verb.has_request) continue;
    const bool fits = (!all || known.of_all) && (!local || known.kind == OpKind::kWinFlush);
    return fits ? std::optional(verb) : std::nullopt;
  }
  return std::nullopt;
}

std::string window_word(OpKind kind, std::uint8_t flags, bool has_request) {
  std::string word;
  for (const Word& known : kWords)
    if (known.kind == kind) word = (has_request ? "r" : "") + std::string(known.word);
  if (kind == OpKind::kWinFlush && (flags & kWinLocal)) word += "_local";
  if (flags & kWinAll) word += "_all";
  return word;
}

std::string_view call_of_window_verb(std::string_view verb) {
  if (verb == "fetch") return "MPI_Get_accumulate";
  if (verb == "rfetch") return "MPI_Rget_accumulate";
  return "";
}

}  // namespace plumbline::replay
