// Probes of a location.

#include "replay/program/compile/location/probes.hpp"

#include <gmock/gmock.h>

#include "by_hand.hpp"

namespace plumbline::replay::compiling {
namespace {

class LocationProbes : public testing::Test {
 protected:
  void begin(std::vector<archive::AttributeValue> attributes) {
    location_.in_call("MPI_Probe");
    begin_probe(location_.state, Record({.kind = archive::EventKind::kEnter}, std::move(attributes)));
  }
  void begin_any() {
    const AttributeIds& ids = location_.ids;
    begin({number(ids.comm, kPair), integer(ids.posted_source, -1), integer(ids.posted_tag, -1)});
  }
  void end(std::vector<archive::AttributeValue> attributes) {
    end_probe(location_.state, Record({.kind = archive::EventKind::kLeave}, std::move(attributes)));
  }
  const Operation& probe() const { return *location_.state.call.probe; }

  LocationByHand location_;
};

TEST_F(LocationProbes, AProbeIsNotModelledUntilItHasFoundSomething) {
  begin_any();
  EXPECT_EQ(probe().kind, OpKind::kUnmodelled);
  end({integer(location_.ids.found_source, 0), integer(location_.ids.found_tag, 7)});
  EXPECT_EQ(probe().kind, OpKind::kProbe);
  EXPECT_EQ(probe().comm, kPair);
  EXPECT_EQ(probe().peer, 0);
  EXPECT_EQ(probe().tag, 7);
  EXPECT_EQ(probe().flags, kAnySource | kAnyTag);
}

TEST_F(LocationProbes, WithoutASourceAndATagNothingWasFound) {
  for (const archive::AttributeValue& only :
       {integer(location_.ids.found_source, 0), integer(location_.ids.found_tag, 7)}) {
    begin_any();
    end({only});
    EXPECT_EQ(probe().kind, OpKind::kUnmodelled);
    EXPECT_EQ(probe().peer, kNoPeer);
  }
}

// MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, ..) finds a message of no bytes at once.
TEST_F(LocationProbes, WhatIsFoundAtNoRankIsWaitedForByNobody) {
  begin_any();
  end({integer(location_.ids.found_source, -1), integer(location_.ids.found_tag, -1)});
  EXPECT_EQ(probe().kind, OpKind::kProbe);
  EXPECT_EQ(probe().peer, kNoPeer);
  EXPECT_EQ(probe().tag, 0);
  EXPECT_EQ(probe().flags, 0);
}

TEST_F(LocationProbes, WithoutItsCommunicatorAProbeIsNotDescribed) {
  begin({integer(location_.ids.posted_source, 0)});
  EXPECT_FALSE(location_.state.call.probe);
  EXPECT_EQ(error_of([&] { begin({number(location_.ids.comm, std::uint64_t{1} << 32)}); }),
            "OBS: rank 0, event 0: a communicator that the archive does not define");
}

}  // namespace
}  // namespace plumbline::replay::compiling
