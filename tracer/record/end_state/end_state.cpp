#include "tracer/record/end_state/end_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::record {
namespace {

using archive::Definitions;
using archive::Event;
using archive::EventKind;
using archive::kUndefined;
namespace names = archive::names;

struct Attributes {
  explicit Attributes(const Definitions& d)
      : site(find(d, names::kSite)),
        comm(find(d, names::kCommId)),
        source(find(d, names::kPostedSource)),
        tag(find(d, names::kPostedTag)),
        found(find(d, names::kFoundSource)),
        waits(find(d, names::kWaits)),
        path(find(d, names::kPath)),
        mode(find(d, names::kSendMode)),
        unfinished(find(d, names::kUnfinished)),
        error(find(d, names::kErrorClass)) {}

  static std::uint32_t find(const Definitions& d, const char* name) {
    return d.find_attribute(name).value_or(kUndefined);
  }
  std::uint32_t site, comm, source, tag, found, waits, path, mode, unfinished, error;
};

const archive::AttributeValue* find(const Event& event, std::uint32_t attribute) {
  if (attribute == kUndefined) return nullptr;
  for (const archive::AttributeValue& value : event.attributes)
    if (value.attribute == attribute) return &value;
  return nullptr;
}

// File calls that all ranks of the file make together, and that leave no record by which they could be counted.
bool is_collective_file_call(std::string_view name) {
  static constexpr std::array kNames{"MPI_File_open",        "MPI_File_close",        "MPI_File_set_view",
                                     "MPI_File_set_size",    "MPI_File_preallocate",  "MPI_File_set_info",
                                     "MPI_File_seek_shared", "MPI_File_set_atomicity"};
  return std::ranges::find(kNames, name) != kNames.end() || (name.starts_with("MPI_File_") && name.ends_with("_end"));
}

// A call that tells whether something has happened: a program that waits by it calls it again and again.
bool returns_at_once(std::string_view name) {
  return name.starts_with("MPI_Test") || name == "MPI_Iprobe" || name == "MPI_Improbe" ||
         name == "MPI_Request_get_status";
}

std::optional<Time> time_property(const std::map<std::string, std::string>& properties, const char* name) {
  const auto text = properties.find(name);
  if (text == properties.end()) return {};
  Time time;
  std::from_chars(text->second.data(), text->second.data() + text->second.size(), time.ps);
  return time;
}

std::vector<std::uint64_t> numbers(std::string_view list) {
  std::vector<std::uint64_t> result;
  while (!list.empty()) {
    std::uint64_t number = 0;
    const auto [end, fault] = std::from_chars(list.data(), list.data() + list.size(), number);
    if (fault != std::errc{}) break;
    result.push_back(number);
    list.remove_prefix(std::min<std::size_t>(static_cast<std::size_t>(end - list.data()) + 1, list.size()));
  }
  return result;
}

// The communicator's members as its rank `own` numbers its peers.
std::optional<std::uint32_t> world_rank(const archive::Comm& comm, std::uint32_t own, std::uint32_t peer) {
  if (comm.is_self) return own;
  const bool is_member = std::ranges::find(comm.members, own) != comm.members.end();
  const auto& peers = comm.remote_members.empty() || !is_member ? comm.members : comm.remote_members;
  if (peer >= peers.size()) return {};
  return peers[peer];
}

// The reading of one rank's locations, one after the other.
class RankReading {
 public:
  RankReading(const Definitions& definitions, const Attributes& attributes, EndState& end_state, std::uint32_t rank)
      : d_(definitions), attributes_(attributes), end_state_(end_state), rank_(rank), state_(end_state.ranks[rank]) {}

  void begin_thread() {
    threads_.emplace_back();
    stack_.clear();
    is_over_ = false;
  }

  void take(const Event& event) {
    is_over_ = is_over_ || (end_state_.stopped && event.time > *end_state_.stopped);
    if (is_over_) return;
    end_state_.end = std::max(end_state_.end, event.time);
    switch (event.kind) {
      case EventKind::kEnter:
        return enter(event);
      case EventKind::kLeave:
        return leave(event);
      case EventKind::kMeasurementOnOff:
        end_state_.incomplete = true;
        return;
      default:
        return message(event);
    }
  }

  // What was cut off by the moment of the end state was in flight then.
  void end_thread() {
    while (!stack_.empty()) {
      stays(std::move(stack_.back()));
      stack_.pop_back();
    }
  }

  // A location inside of a thread's calls: only a call on a file that has not returned is of interest.
  void begin_inside(std::size_t thread) {
    inside_of_ = thread;
    inside_.clear();
    is_over_ = false;
  }

  void take_inside(const Event& event) {
    is_over_ = is_over_ || (end_state_.stopped && event.time > *end_state_.stopped);
    if (is_over_) return;
    if (event.kind == EventKind::kEnter) inside_.push_back(event.region);
    if (event.kind != EventKind::kLeave || inside_.empty()) return;
    if (find(event, attributes_.unfinished) != nullptr) stays_inside();
    inside_.pop_back();
  }

  void end_inside() {
    for (; !inside_.empty(); inside_.pop_back()) stays_inside();
  }

  // Requests may have been posted by another thread than the one that waits.
  void finish() {
    for (Thread& thread : threads_) {
      if (thread.in_flight) {
        thread.state.in_flight = std::move(thread.in_flight->call);
        resolve(*thread.state.in_flight, thread.in_flight->waits);
      } else if (thread.failed_test) {
        thread.state.in_flight = std::move(thread.failed_test->call);
        resolve(*thread.state.in_flight, thread.failed_test->waits);
      }
      state_.threads.push_back(std::move(thread.state));
    }
  }

 private:
  // A call that has been entered.
  struct Open {
    CallInFlight call;
    std::uint32_t region = kUndefined, site = kUndefined, path = kUndefined, comm = kUndefined;
    std::optional<std::uint32_t> waits_text;
    std::vector<std::uint64_t> waits;
    std::optional<Collective> collective;
  };
  struct Thread {
    ThreadState state;
    std::optional<Open> in_flight, failed_test;
  };

  const std::string& text(archive::StringId id) const { return d_.strings[id]; }
  const std::string& name_of(const Open& open) const { return text(d_.regions[open.region].name); }
  std::optional<std::uint32_t> world(std::uint32_t comm, std::uint32_t peer) const {
    return comm < d_.comms.size() ? world_rank(d_.comms[comm], rank_, peer) : std::nullopt;
  }

  void enter(const Event& event) {
    Open& open = stack_.emplace_back();
    open.region = event.region;
    open.call.begin = event.time;
    if (const auto* site = find(event, attributes_.site)) open.site = site->string;
    if (const auto* path = find(event, attributes_.path)) open.path = path->string;
    if (const auto* waits = find(event, attributes_.waits)) open.waits_text = waits->string;
    if (const auto* comm = find(event, attributes_.comm)) open.comm = static_cast<std::uint32_t>(comm->u64);
    const auto *source = find(event, attributes_.source), *tag = find(event, attributes_.tag);
    if (source != nullptr && tag != nullptr && open.comm != kUndefined)
      open.call.needs.push_back(receive(open.comm, source->i64, tag->i64));
    const archive::Region& region = d_.regions[event.region];
    if (region.role == archive::Role::kCollective && open.comm != kUndefined)
      open.collective = reach({Place::Kind::kComm, {}, open.comm}, open.comm, open);
    if (region.paradigm == archive::Paradigm::kMpi && text(region.name) == "MPI_Finalize")
      open.collective = reach({Place::Kind::kFinalize, {}, 0}, 0, open);
  }

  void leave(const Event& event) {
    if (stack_.empty()) return;
    Open open = std::move(stack_.back());
    stack_.pop_back();
    if (const auto* error = find(event, attributes_.error)) open.call.error = text(error->string);
    if (find(event, attributes_.unfinished) != nullptr) return stays(std::move(open));
    if (!stack_.empty()) return;
    Thread& thread = threads_.back();
    thread.failed_test.reset();
    thread.state.last = {name_of(open), open.site == kUndefined ? "" : text(open.site), event.time};
    if (told_nothing(open, event)) thread.failed_test = complete(std::move(open));
  }

  // A poll that did not say that what it asks for is there.
  bool told_nothing(const Open& open, const Event& leave) const {
    const std::string& name = name_of(open);
    if (name == "MPI_Iprobe" || name == "MPI_Improbe") return find(leave, attributes_.found) == nullptr;
    return open.waits_text && name.starts_with("MPI_Test");
  }

  // Its innermost calls first.
  void stays(Open open) {
    std::optional<Open>& in_flight = threads_.back().in_flight;
    Open outer = complete(std::move(open));
    if (in_flight) outer.call.inner = in_flight->call.inner.empty() ? in_flight->call.name : in_flight->call.inner;
    in_flight = std::move(outer);
  }

  void stays_inside() {
    std::optional<Open>& outer = threads_[inside_of_].in_flight;
    const archive::Region& region = d_.regions[inside_.back()];
    const bool is_nested = inside_.size() > 1 && region.paradigm != archive::Paradigm::kMpi;
    if (outer && is_nested && outer->call.inner.empty()) outer->call.inner = text(region.name);
  }

  Open complete(Open open) const {
    CallInFlight& call = open.call;
    call.name = name_of(open);
    if (open.site != kUndefined) call.site = text(open.site);
    if (open.path != kUndefined) call.path = text(open.path);
    if (open.waits_text) open.waits = numbers(text(*open.waits_text));
    call.is_wait = open.waits_text.has_value();
    call.polls = returns_at_once(call.name);
    call.any = call.name.ends_with("any") || call.name.ends_with("some");
    if (!open.collective && open.comm != kUndefined && is_collective_file_call(call.name))
      open.collective = Collective{{Place::Kind::kFileCall, call.name + " " + call.path, 0}, open.comm, call.name, 0};
    if (open.collective) call.needs.push_back(*open.collective);
    return open;
  }

  void resolve(CallInFlight& call, const std::vector<std::uint64_t>& waits) const {
    for (const std::uint64_t request : waits) {
      if (const auto receive = state_.receives.find(request); receive != state_.receives.end())
        call.needs.emplace_back(receive->second);
      else if (const auto send = state_.sends.find(request); send != state_.sends.end())
        call.needs.emplace_back(send->second);
      else if (const auto meeting = state_.collectives.find(request); meeting != state_.collectives.end())
        call.needs.emplace_back(meeting->second);
      else if (files_.contains(request))
        call.needs.emplace_back(FileRequest{});
      else
        call.needs.emplace_back(Unknown{});
    }
  }

  Collective reach(const Place& place, std::uint32_t comm, const Open& by) {
    return {place, comm, name_of(by), ++state_.reached[place]};
  }

  Receive receive(std::uint32_t comm, std::int64_t source, std::int64_t tag, std::uint64_t request = 0) const {
    Receive result{comm, {}, {}, request};
    if (source >= 0) result.source = world(comm, static_cast<std::uint32_t>(source));
    if (tag >= 0) result.tag = static_cast<std::uint32_t>(tag);
    return result;
  }

  std::optional<Send> send(const Event& event) const {
    const auto dest = world(event.comm, event.peer);
    if (!dest) return {};
    const auto* mode = find(event, attributes_.mode);
    return Send{event.comm, *dest, event.tag, event.bytes, mode != nullptr && text(mode->string) == "synchronous"};
  }

  Traffic& traffic_to(const Send& send) { return end_state_.channels[{send.comm, rank_, send.dest, send.tag}]; }

  void received(const Event& event) {
    if (const auto source = world(event.comm, event.peer))
      ++end_state_.channels[{event.comm, *source, rank_, event.tag}].received;
  }

  void message(const Event& event) {
    switch (event.kind) {
      case EventKind::kMpiSend:
      case EventKind::kMpiIsend:
        if (const auto sent = send(event)) {
          ++traffic_to(*sent).sent;
          if (event.kind == EventKind::kMpiIsend)
            state_.sends[event.request] = *sent;
          else if (!stack_.empty())
            stack_.back().call.needs.emplace_back(*sent);
        }
        return;
      case EventKind::kMpiRecv:
        return received(event);
      case EventKind::kMpiIrecvRequest:
        if (const auto* comm = find(event, attributes_.comm), *source = find(event, attributes_.source),
            *tag = find(event, attributes_.tag);
            comm != nullptr && source != nullptr && tag != nullptr)
          state_.receives[event.request] =
              receive(static_cast<std::uint32_t>(comm->u64), source->i64, tag->i64, event.request);
        return;
      case EventKind::kMpiIrecv:
        received(event);
        state_.receives.erase(event.request);
        return;
      case EventKind::kMpiIsendComplete:
        state_.sends.erase(event.request);
        return;
      case EventKind::kMpiRequestCancelled:
        if (const auto sent = state_.sends.find(event.request); sent != state_.sends.end()) {
          --traffic_to(sent->second).sent;
          state_.sends.erase(sent);
        }
        state_.receives.erase(event.request);
        return;
      default:
        return meeting(event);
    }
  }

  void meeting(const Event& event) {
    Open* open = stack_.empty() ? nullptr : &stack_.back();
    switch (event.kind) {
      case EventKind::kMpiCollectiveBegin:
        if (open != nullptr && open->comm != kUndefined && !open->collective)  // making a communicator
          open->collective = reach({Place::Kind::kComm, {}, open->comm}, open->comm, *open);
        return;
      case EventKind::kMpiCollectiveEnd:
        ++state_.reached[{Place::Kind::kComm, {}, event.comm}];
        return;
      case EventKind::kNonBlockingCollectiveRequest:
        if (const auto* comm = find(event, attributes_.comm); comm != nullptr && open != nullptr) {
          const auto id = static_cast<std::uint32_t>(comm->u64);
          state_.collectives[event.request] =
              open->collective ? *std::exchange(open->collective, {}) : reach({Place::Kind::kComm, {}, id}, id, *open);
        }
        return;
      case EventKind::kNonBlockingCollectiveComplete:
        state_.collectives.erase(event.request);
        return;
      case EventKind::kIoOperationBegin:
        return file_access(event, open);
      case EventKind::kIoOperationIssued:
        files_[event.request] = true;
        return;
      case EventKind::kIoOperationComplete:
        files_.erase(event.request);
        return;
      default:
        return;
    }
  }

  void file_access(const Event& event, Open* open) {
    if (open == nullptr || event.io_handle >= d_.io_handles.size()) return;
    const archive::IoHandle& handle = d_.io_handles[event.io_handle];
    if (open->path == kUndefined) open->path = handle.name;
    if ((event.io_flags & archive::kIoCollective) != 0 && handle.comm < d_.comms.size())
      open->collective = reach({Place::Kind::kFileAccess, {}, event.io_handle}, handle.comm, *open);
  }

  const Definitions& d_;
  const Attributes& attributes_;
  EndState& end_state_;
  std::uint32_t rank_;
  RankState& state_;
  std::vector<Thread> threads_;
  std::vector<Open> stack_;
  std::map<std::uint64_t, bool> files_;  // requests of asynchronous I/O
  std::vector<std::uint32_t> inside_;    // regions that have been entered inside of a thread's calls
  std::size_t inside_of_ = 0;
  bool is_over_ = false;
};

std::vector<CommMembers> members(const Definitions& d) {
  std::vector<CommMembers> comms;
  for (const archive::Comm& comm : d.comms) {
    CommMembers& entry = comms.emplace_back(CommMembers{d.strings[comm.name], comm.members});
    entry.ranks.insert(entry.ranks.end(), comm.remote_members.begin(), comm.remote_members.end());
  }
  return comms;
}

bool lost_records(const archive::LocationGroup& group) {
  const auto lost = group.properties.find(names::kPropertyLost);
  return lost != group.properties.end() && lost->second != "0";
}

}  // namespace

EndState read_end_state(const std::filesystem::path& archive) {
  archive::Reader reader(archive);
  const Definitions& d = reader.definitions();
  const Attributes attributes(d);
  EndState end_state;
  end_state.stopped = time_property(d.properties, names::kPropertyStopped);
  end_state.comms = members(d);
  std::map<std::uint32_t, std::pair<std::uint32_t, std::vector<std::uint32_t>>> groups;  // rank and its locations
  for (std::uint32_t i = 0; i < d.locations.size(); ++i)
    if (d.locations[i].rank) groups[d.locations[i].group].first = *d.locations[i].rank;
  for (std::uint32_t i = 0; i < d.locations.size(); ++i)
    if (const auto group = groups.find(d.locations[i].group); group != groups.end()) group->second.second.push_back(i);
  end_state.ranks.resize(d.world_size());
  for (const auto& [index, group] : groups) {
    if (group.first >= end_state.ranks.size() || index >= d.location_groups.size()) continue;
    RankState& state = end_state.ranks[group.first];
    const archive::LocationGroup& properties = d.location_groups[index];
    if (const auto end = properties.properties.find(names::kPropertyEnd); end != properties.properties.end())
      state.end = end->second;
    state.ended = time_property(properties.properties, names::kPropertyEnded);
    end_state.incomplete = end_state.incomplete || lost_records(properties) || state.recording_stopped() ||
                           state.end == names::kEndLeftOut;
    RankReading reading(d, attributes, end_state, group.first);
    std::map<std::uint64_t, std::size_t> threads;  // by otf2_id
    for (const std::uint32_t location : group.second) {
      if (d.locations[location].events == 0 || archive::inside_of(d.locations[location])) continue;
      threads.emplace(d.locations[location].otf2_id, threads.size());
      reading.begin_thread();
      reader.read(location, [&](const Event& event) { reading.take(event); });
      reading.end_thread();
    }
    for (const std::uint32_t location : group.second) {
      const auto outer = archive::inside_of(d.locations[location]);
      const auto thread = outer ? threads.find(*outer) : threads.end();
      if (thread == threads.end()) continue;
      reading.begin_inside(thread->second);
      reader.read(location, [&](const Event& event) { reading.take_inside(event); });
      reading.end_inside();
    }
    reading.finish();
  }
  return end_state;
}

}  // namespace plumbline::record
