#include "viewer/export/paraver_records.hpp"

namespace plumbline::viewer::paraver {

void Records::header(const std::string& date, std::uint64_t length_ns, std::uint32_t sides) {
  out_.add("#Paraver (" + date + "):");
  out_.number(length_ns);
  out_.add("_ns:");
  out_.number(machine_.nodes.size());
  for (const Machine::Node& node : machine_.nodes) {
    out_.add(&node == machine_.nodes.data() ? '(' : ',');
    out_.number(node.processors);
  }
  out_.add("):");
  out_.number(sides);
  for (std::uint32_t side = 0; side < sides; ++side) {
    field(machine_.node_of.size());
    for (const std::uint32_t& node : machine_.node_of) {
      out_.add(&node == machine_.node_of.data() ? "(1:" : ",1:");
      out_.number(node);
    }
    out_.add(')');
  }
  out_.add('\n');
}

void Records::state(Row row, std::uint64_t begin_ns, std::uint64_t end_ns, std::uint32_t state) {
  if (begin_ns >= end_ns) return;
  out_.add('1');
  place(row);
  field(begin_ns);
  field(end_ns);
  field(state);
  out_.add('\n');
}

void Records::events(Row row, std::uint64_t time_ns, const std::vector<Event>& events) {
  out_.add('2');
  place(row);
  field(time_ns);
  for (const auto& [type, value] : events) {
    field(type);
    field(value);
  }
  out_.add('\n');
}

void Records::communication(const End& send, const End& receive, std::uint64_t bytes, std::int32_t tag) {
  out_.add('3');
  for (const End& end : {send, receive}) {
    place(end.row);
    field(end.logical_ns);
    field(end.physical_ns);
  }
  field(bytes);
  out_.add(':');
  out_.number(tag);
  out_.add(std::string_view("\n"));
}

void Records::place(Row row) {
  field(machine_.processor(row.side, row.rank));
  field(static_cast<std::uint64_t>(row.side) + 1);
  field(std::uint64_t{row.rank} + 1);
  field(1);
}

void Records::field(std::uint64_t value) {
  out_.add(':');
  out_.number(value);
}

}  // namespace plumbline::viewer::paraver
