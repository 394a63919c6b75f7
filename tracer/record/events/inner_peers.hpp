#pragma once
// Who has sent an inner message of which the receiver knows only the rank in the library's communicator: each process
// has told whom it sends to, by which context and as which rank in it (PL_DEF_INNER_PEER).

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/units.hpp"

namespace plumbline::record {

class InnerPeers {
 public:
  // World rank `sender` has told it at that time. All of them before the first sender().
  void add(std::uint32_t context, std::uint32_t rank_in_context, std::uint32_t receiver, std::uint32_t sender,
           Time when);

  // The world rank that the message of `receiver` is from, which was complete at that time. Contexts are used again:
  // the latest that was told before; where clocks differ so far that none was, the earliest.
  std::optional<std::uint32_t> sender(std::uint32_t context, std::uint32_t rank_in_context, std::uint32_t receiver,
                                      Time complete) const;

 private:
  struct Told {
    Time when;
    std::uint32_t sender = 0;
  };
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<Told>> told_;  // each by time
};

}  // namespace plumbline::record
