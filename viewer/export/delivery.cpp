#include "viewer/export/delivery.hpp"

#include <algorithm>

namespace plumbline::viewer {
namespace {

using replay::OpKind;

OperationId completing(const replay::Program& program, const Matches& matches, OperationId receive) {
  if (program.rank(receive.rank).operations[receive.operation].kind != OpKind::kIrecv) return receive;
  const OperationId wait = completion_of(matches, receive);
  return wait.exists() ? wait : receive;
}

bool receives(OpKind kind) { return kind == OpKind::kRecv || kind == OpKind::kIrecv || kind == OpKind::kSendrecv; }

}  // namespace

Delivery delivery_of(const replay::Program& program, const Matches& matches, OperationId sender) {
  const OperationId receive = receiver_of(program, matches, sender);
  if (!receive.exists()) return {};
  return {sender, receive, completing(program, matches, receive)};
}

std::vector<Delivery> deliveries_to(const replay::Program& program, const Matches& matches, std::uint32_t rank) {
  std::vector<Delivery> deliveries;
  const auto operations = program.rank(rank).operations;
  for (OperationId id{rank, 0}; id.operation < operations.size(); ++id.operation) {
    if (!receives(operations[id.operation].kind)) continue;
    if (const OperationId sender = matches.partner(id); sender.exists())
      deliveries.push_back({sender, id, completing(program, matches, id)});
  }
  std::ranges::stable_sort(deliveries, {}, [](const Delivery& delivery) { return delivery.completed.operation; });
  return deliveries;
}

}  // namespace plumbline::viewer
