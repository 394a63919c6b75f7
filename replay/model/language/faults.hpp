#pragma once
// What is wrong with a model. The same fault at the same place is told once, with the ranks that it is found for, so
// that a model of many ranks tells no more than one of few.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "base/error.hpp"
#include "replay/model/language/source.hpp"

namespace plumbline::replay::model {

// Of one place; thrown by whoever evaluates, caught by whoever knows the rank.
struct Fault {
  Place place;
  std::string what;
  std::string hint = {};
  bool has_partner = true;  // what is left out because of it may leave somebody else without a partner
  bool is_of_name = false;  // a name that nobody has declared: told where it is first used
};

class Faults {
 public:
  explicit Faults(std::string source) : source_(std::move(source)) {}

  void add(const Fault& fault);
  void add_once(const Fault& fault);  // not where the same was told of another place
  // Found for one rank of so many. `kind` tells equal faults: their texts may differ from rank to rank.
  void add(std::string_view kind, std::uint32_t rank, std::uint32_t ranks, const Fault& fault);

  // `under`: what they were found with, " with xsize=128"; told of those that are new.
  void add(const Faults& others, const std::string& under = {});

  bool empty() const { return found_.empty(); }
  bool any_with_partner() const { return with_partner_; }
  std::string where(Place place) const;  // "jacobi.c:12"

  // In the order of the source, at most so many that they can be read.
  void add_to(Diagnostics& diagnostics) const;
  void throw_if_any() const;

 private:
  using Key = std::tuple<Place, std::string, std::uint32_t>;  // place, kind, ranks; 0: of the model itself
  struct Found {
    Fault first;
    std::uint32_t first_rank = 0, last_rank = 0, ranks = 0;  // for how many ranks
    std::string under = {};
  };

  std::string source_;
  std::map<Key, Found> found_;
  bool with_partner_ = false;
};

}  // namespace plumbline::replay::model
