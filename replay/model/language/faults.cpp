#include "replay/model/language/faults.hpp"

#include <fmt/format.h>

namespace plumbline::replay::model {
namespace {

constexpr std::size_t kMost = 50;  // faults that are told

std::string ranks_of(std::uint32_t first, std::uint32_t found, std::uint32_t of) {
  if (found == 1) return fmt::format("rank {} of {}", first, of);
  return fmt::format("rank {} and {} more of {}", first, found - 1, of);
}

}  // namespace

void Faults::add(const Fault& fault) {
  with_partner_ = with_partner_ || fault.has_partner;
  found_.try_emplace({fault.place, fault.what, 0}, Found{fault});
}

void Faults::add_once(const Fault& fault) {
  for (const auto& [key, found] : found_)
    if (found.first.what == fault.what) return;
  add(fault);
}

void Faults::add(std::string_view kind, std::uint32_t rank, std::uint32_t ranks, const Fault& fault) {
  const auto [entry, is_new] = found_.try_emplace({fault.place, std::string(kind), ranks});
  Found& found = entry->second;
  with_partner_ = with_partner_ || fault.has_partner;
  if (is_new) found = {fault, rank, rank, 1};
  if (found.last_rank == rank) return;
  found.last_rank = rank;
  ++found.ranks;
}

void Faults::add(const Faults& others, const std::string& under) {
  for (const auto& [key, found] : others.found_) {
    const auto [entry, is_new] = found_.try_emplace(key, found);
    if (is_new) entry->second.under += under;
  }
  with_partner_ = with_partner_ || others.with_partner_;
}

std::string Faults::where(Place place) const {
  return place.line == 0 ? source_ : fmt::format("{}:{}", source_, place.line);
}

void Faults::add_to(Diagnostics& diagnostics) const {
  std::size_t told = 0;
  for (const auto& [key, found] : found_) {
    if (told++ == kMost) return diagnostics.add(source_, fmt::format("and {} more faults", found_.size() - kMost));
    const std::uint32_t ranks = std::get<2>(key);
    const std::string who = ranks == 0 ? "" : ranks_of(found.first_rank, found.ranks, ranks) + found.under + ": ";
    diagnostics.add(where(found.first.place), who + found.first.what, found.first.hint);
  }
}

void Faults::throw_if_any() const {
  Diagnostics diagnostics;
  add_to(diagnostics);
  diagnostics.throw_if_any();
}

}  // namespace plumbline::replay::model
