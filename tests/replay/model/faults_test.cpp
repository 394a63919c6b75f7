// What is wrong with a model for some number of ranks.

#include <gtest/gtest.h>

#include "world.hpp"

namespace plumbline::replay::model {
namespace {

using test::faults_of;

TEST(ModelFaults, AnExpressionWithoutAValueIsToldWithTheRankAndTheLine) {
  EXPECT_EQ(faults_of("Serial time = 1ms/(procnum-2)\nMessage type = MPI_Barrier\n", 4),
            "m.c:1: rank 2 of 4: the expression divides by zero\n"
            "m.c:1: rank 0 and 1 more of 4: time is -500 us, which is below zero\n");
  EXPECT_EQ(faults_of("Loop iterations = procnum-1\n{\n}\n", 2), "m.c:1: rank 0 of 2: iterations are -1\n");
  EXPECT_EQ(faults_of("Serial time = 3.24/numprocs\n", 2),
            "m.c:1: rank 0 and 1 more of 2: time is 1.62, which has no unit\n");
}

TEST(ModelFaults, ARankThatDoesNotExistIsTold) {
  const std::string model = "Message type = MPI_Sendrecv\n& size = 8\n& to = procnum+1\n& from = procnum-1\n";
  EXPECT_EQ(faults_of(model, 3),
            "m.c:3: rank 2 of 3: to of MPI_Sendrecv is 3, but ranks go from 0 to 2\n"
            "m.c:4: rank 0 of 3: from of MPI_Sendrecv is -1, but ranks go from 0 to 2\n");
}

// Figure 5 of the paper: even ranks send to the one behind them without a look.
TEST(ModelFaults, OddRanksWhereEvenOnesAreNeededAreTold) {
  const std::string model =
      "Runon c1 = procnum%2 == 0\n& c2 = 1\n"
      "{\nMessage type = MPI_Send\n& size = 8\n& to = procnum+1\n}\n"
      "{\nMessage type = MPI_Recv\n& size = 8\n& from = procnum-1\n}\n";
  EXPECT_EQ(faults_of(model, 4), "");
  EXPECT_EQ(faults_of(model, 5), "m.c:6: rank 4 of 5: to of MPI_Send is 5, but ranks go from 0 to 4\n");
}

TEST(ModelFaults, AMessageWithoutItsPartnerIsToldWithBothRanks) {
  EXPECT_EQ(
      faults_of(
          "Loop iterations = 10\n{\nRunon c1 = procnum == 0\n{\nMessage type = MPI_Send\n& size = 8\n& to = 1\n}\n}\n",
          2),
      "m.c:5: rank 0 of 2: sends 10 messages to rank 1 (tag 0) that rank 1 never receives\n");
  EXPECT_EQ(faults_of("Runon c1 = procnum == 0\n{\nMessage type = MPI_Recv\n& size = 8\n& from = 1\n& tag = 3\n}\n", 2),
            "m.c:3: rank 0 of 2: receives a message from rank 1 (tag 3) that rank 1 never sends\n");
  EXPECT_EQ(faults_of("Runon c1 = procnum == 0\n& c2 = 1\n"
                      "{\nLoop iterations = 3\n{\nMessage type = MPI_Recv\n& size = 8\n& from = any\n}\n}\n"
                      "{\nMessage type = MPI_Send\n& size = 8\n& to = 0\n}\n",
                      3),
            "m.c:6: rank 0 of 3: receives from any (tag 0), but one message too few are sent to it\n");
}

TEST(ModelFaults, ARankThatRunsTheMessageOfAnotherIsTold) {
  EXPECT_EQ(faults_of("Message type = MPI_Send\n& size = 8\n& from = 0\n& to = 0\n", 2),
            "m.c:3: rank 1 of 2: from of MPI_Send is 0, but it is rank 1 that runs it\n");
}

TEST(ModelFaults, CollectiveCallsThatDifferBetweenRanksAreTold) {
  EXPECT_EQ(faults_of("Runon c1 = procnum == 2\n& c2 = 1\n{\nMessage type = MPI_Barrier\n}\n{\nMessage type = "
                      "MPI_Bcast\n& size = 8\n}\n",
                      3),
            "m.c:4: rank 2 of 3: comes to MPI_Barrier, while rank 0 comes to MPI_Bcast (m.c:7)\n");
  EXPECT_EQ(faults_of("Message type = MPI_Bcast\n& size = 8\n& root = procnum\n", 2),
            "m.c:1: rank 1 of 2: the root of MPI_Bcast is 1, but for rank 0 it is 0\n");
  EXPECT_EQ(faults_of("Message type = MPI_Allreduce\n& size = 8*(1 + procnum)\n", 2),
            "m.c:1: rank 1 of 2: the size of MPI_Allreduce is 16, but for rank 0 it is 8\n");
  EXPECT_EQ(faults_of("Loop iterations = 2-procnum\n{\nMessage type = MPI_Barrier\n}\n", 2),
            "m.c:3: rank 1 of 2: never comes to MPI_Barrier, which rank 0 comes to\n");
}

// They leave out nothing that could be the other end of a message.
TEST(ModelFaults, CollectiveCallsThatDifferAreToldForAllRanksAndWithMessagesThatLackAPartner) {
  const std::string unmatched = "Runon c1 = procnum == 3\n{\nMessage type = MPI_Send\n& size = 8\n& to = 2\n}\n";
  EXPECT_EQ(faults_of("Runon c1 = procnum == 0\n{\nMessage type = MPI_Barrier\n}\n" + unmatched, 4),
            "m.c:3: rank 1 and 2 more of 4: never comes to MPI_Barrier, which rank 0 comes to\n"
            "m.c:7: rank 3 of 4: sends a message to rank 2 (tag 0) that rank 2 never receives\n");
  EXPECT_EQ(faults_of("Message type = MPI_Bcast\n& size = 8\n& root = procnum\n" + unmatched, 4),
            "m.c:1: rank 1 and 2 more of 4: the root of MPI_Bcast is 1, but for rank 0 it is 0\n"
            "m.c:6: rank 3 of 4: sends a message to rank 2 (tag 0) that rank 2 never receives\n");
}

TEST(ModelFaults, RequestsAreStartedOnceAndWaitedForOnce) {
  EXPECT_EQ(faults_of("Message type = MPI_Isend\n& size = 8\n& to = procnum\nMessage type = MPI_Recv\n& size = 8\n& "
                      "from = procnum\n",
                      1),
            "m.c:1: rank 0 of 1: starts a request that it never waits for\n");
  EXPECT_EQ(faults_of("Message type = MPI_Wait\n& request = a\n", 1),
            "m.c:1: rank 0 of 1: waits for the request 'a', which is not outstanding\n");
}

// MPI gives a message to the receive that was posted first; the replay cannot tell these two apart.
TEST(ModelFaults, AReceiveFromANamedRankBehindAnOpenOneFromAnyIsRefused) {
  EXPECT_EQ(faults_of("Message type = MPI_Irecv\n& size = 8\n& from = any\n"
                      "Message type = MPI_Irecv\n& size = 8\n& from = procnum\n"
                      "Message type = MPI_Send\n& size = 8\n& to = procnum\n"
                      "Message type = MPI_Send\n& size = 8\n& to = procnum\n"
                      "Message type = MPI_Waitall\n",
                      1),
            "m.c:4: rank 0 of 1: receives from a named rank while a receive from any of the same tag is outstanding "
            "(m.c:1)\n");
}

TEST(ModelFaults, ASendrecvBehindAnOpenReceiveFromAnyIsRefusedByTheTagThatItReceives) {
  const auto with = [](const std::string& sendrecv) {
    return "Message type = MPI_Irecv\n& size = 8\n& from = any\n& tag = 7\n"
           "Message type = MPI_Sendrecv size = 8 to = procnum from = procnum " +
           sendrecv + "\nMessage type = MPI_Send size = 8 to = procnum tag = 7\nMessage type = MPI_Waitall\n";
  };
  EXPECT_EQ(faults_of(with("tag = 7"), 1),
            "m.c:5: rank 0 of 1: receives from a named rank while a receive from any of the same tag is outstanding "
            "(m.c:1)\n");
  EXPECT_EQ(faults_of(with("tag = 8"), 1), "");
  EXPECT_EQ(faults_of("Message type = MPI_Irecv size = 8 from = any\n"
                      "Message type = MPI_Sendrecv size = 8 to = procnum from = procnum tag = 1 recvtag = 0\n"
                      "Loop iterations = 2\n{\nMessage type = MPI_Send size = 8 to = procnum tag = 0\n}\n"
                      "Message type = MPI_Recv size = 8 from = procnum tag = 1\nMessage type = MPI_Waitall\n",
                      1),
            "m.c:2: rank 0 of 1: receives from a named rank while a receive from any of the same tag is outstanding "
            "(m.c:1)\n");
}

TEST(ModelFaults, AReceiveFromAnyIsOpenUntilItIsWaitedFor) {
  EXPECT_EQ(faults_of("Message type = MPI_Irecv size = 8 from = any request = a\n"
                      "Message type = MPI_Irecv size = 8 from = any tag = 1 request = b\n"
                      "Loop iterations = 3\n{\nMessage type = MPI_Send size = 8 to = procnum\n}\n"
                      "Message type = MPI_Send size = 8 to = procnum tag = 1\n"
                      "Message type = MPI_Wait request = a\n"
                      "Message type = MPI_Recv size = 8 from = procnum\n"
                      "Message type = MPI_Irecv size = 8 from = any request = a\n"
                      "Message type = MPI_Waitall\n",
                      1),
            "");
}

TEST(ModelFaults, ComputationThatIsLongerThanTimeIsToldWithItsLine) {
  EXPECT_EQ(faults_of("Message type = MPI_Barrier\nLoop iterations = 2\n{\nSerial time = 8000000s\n}\n", 2),
            "m.c:4: rank 0 and 1 more of 2: takes longer than a replay can hold (106 days)\n");
}

TEST(ModelFaults, ASizeOfACollectiveThatTheTimesDoNotHoldIsTold) {
  Layout layout = test::one_per_node(2);
  layout.largest_together = 1024;
  EXPECT_NO_THROW(test::compiled("Message type = MPI_Bcast size = 1KiB\n", 2, layout));
  EXPECT_NO_THROW(test::compiled("Message type = MPI_Bcast size = 2KiB\n", 1, layout));
  try {
    test::compiled("Message type = MPI_Bcast size = 2KiB\n", 2, layout);
    FAIL() << "no fault";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().front().where, "m.c:1");
    EXPECT_EQ(error.problems().front().what,
              "rank 0 and 1 more of 2: size is 2 KiB, but the platform has times of messages up to 1 KiB only");
  }
}

TEST(ModelFaults, ASizeThatTheTimesDoNotHoldIsTold) {
  Layout layout = test::one_per_node(2);
  layout.largest_between = 1024;
  const std::string model =
      "Runon c1 = procnum == 0\n& c2 = 1\n{\nMessage type = MPI_Send\n& size = 2KiB\n& to = 1\n}\n"
      "{\nMessage type = MPI_Recv\n& size = 2KiB\n& from = 0\n}\n";
  try {
    test::compiled(model, 2, layout);
    FAIL() << "no fault";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().front().where, "m.c:4");
    EXPECT_EQ(error.problems().front().what,
              "rank 0 of 2: size is 2 KiB, but the platform has times of messages up to 1 KiB only");
  }
}

TEST(ModelFaults, AreToldOnceForManyRanksAndIterations) {
  EXPECT_EQ(faults_of("Loop iterations = 1000\n{\nSerial time = 1ms/0\n}\n", 1000),
            "m.c:3: rank 0 and 999 more of 1000: the expression divides by zero\n");
}

}  // namespace
}  // namespace plumbline::replay::model
