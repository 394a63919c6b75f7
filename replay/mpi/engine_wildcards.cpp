#include "replay/mpi/engine_wildcards.hpp"

#include <memory>
#include <optional>

#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_rendezvous.hpp"
#include "replay/mpi/engine_requests.hpp"

namespace plumbline::replay::mpi {

void let_ranks_receive_from_any(Engine& engine) {
  engine.wildcards = std::make_unique<Wildcards>(static_cast<std::uint32_t>(engine.ranks.size()));
}

void receive_any(Engine& engine, std::uint32_t request, const AnyChannel& from, std::uint64_t bytes,
                 std::uint32_t operation) {
  const bool may_ask = engine.may_be_rendezvous(bytes);
  if (may_ask) ++engine.ranks[from.receiver].reactive;
  begin(engine, request, kNone);
  engine.wildcards->post(from.receiver, {request, operation, from.comm, from.tag, may_ask});
  match_wildcards(engine, from.receiver, engine.ranks[from.receiver].clock, true);
}

void tell_wildcards_taken(Engine& engine, const Channel& channel, std::uint32_t message) {
  engine.wildcards->taken(channel.receiver, {channel.comm, channel.tag}, message,
                          engine.channels.front(channel, engine.links()));
}

void match_wildcards(Engine& engine, std::uint32_t rank, Time now, bool posting) {
  while (const std::optional<Wildcards::Pair> pair = engine.wildcards->next(rank)) {
    const auto [posted, id] = *pair;
    Message& message = engine.messages[id];
    engine.channels.pop_at(engine.channels.find(message.channel, engine.links()), engine.links());
    tell_wildcards_taken(engine, message.channel, id);
    engine.wildcards->matched(rank, {posted.operation, message.channel.source});
    if (posted.may_ask) --engine.ranks[rank].reactive;
    message.receive_request = posted.request;
    engine.requests[posted.request].message = id;
    if (message.stage == Message::Stage::kEagerArrived) {
      complete_receive(engine, id, message.arrived);
    } else if (!posting) {
      expect_to_ask(engine, message, true);
      react(engine, rank, posted.request, now);
    } else if (knows_of(engine, message)) {
      clear_to_send(engine, id, now);
    } else {
      add_todo(engine, rank, posted.request);
    }
  }
}

}  // namespace plumbline::replay::mpi
