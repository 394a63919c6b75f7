#pragma once
// Names of the attributes and properties that carry what OTF2 has no record for. Form and meaning:
// docs/reference/trace-format.md.

namespace plumbline::archive::names {

// Event attributes. (type) record that carries it: meaning.
inline constexpr char kSite[] = "PLUMBLINE::SITE";  // (string) Enter: "function (file.c:12)", of the call
inline constexpr char kOffset[] = "Offset";         // (uint64) IoOperationBegin: Score-P's name
inline constexpr char kAbsoluteOffset[] =
    "PLUMBLINE::ABSOLUTE_OFFSET";                       // (uint64) IoOperationBegin: first byte in the file
inline constexpr char kLayout[] = "PLUMBLINE::LAYOUT";  // (string) IoOperationBegin: layout of the file view
inline constexpr char kViewPosition[] = "PLUMBLINE::VIEW_POSITION";  // (uint64) IoOperationBegin: bytes of the view's
                                                                     // data before this access
inline constexpr char kPostedSource[] =
    "PLUMBLINE::POSTED_SOURCE";                                // (int64) MpiIrecvRequest, MpiRecv: -1 any; comm rank
inline constexpr char kPostedTag[] = "PLUMBLINE::POSTED_TAG";  // (int64) likewise
inline constexpr char kFoundSource[] = "PLUMBLINE::FOUND_SOURCE";  // (int64) on the Leave of probes that found one
inline constexpr char kFoundTag[] = "PLUMBLINE::FOUND_TAG";        // (int64) likewise
inline constexpr char kBufferBytes[] = "PLUMBLINE::BUFFER_BYTES";  // (uint64) MpiIrecvRequest: size of the buffer
inline constexpr char kCommId[] = "PLUMBLINE::COMM";      // (uint64) MpiIrecvRequest, ..: index of the communicator
inline constexpr char kWaits[] = "PLUMBLINE::WAITS_FOR";  // (string) Enter of waits, tests: request ids "12,13"
inline constexpr char kPolls[] = "PLUMBLINE::POLLS";      // (uint64) Enter: failed tests folded into this call
inline constexpr char kLongestPollGap[] = "PLUMBLINE::LONGEST_POLL_GAP";  // (uint64 ps) likewise
inline constexpr char kPollComputed[] = "PLUMBLINE::POLL_COMPUTED";  // (uint64 ps) likewise: computed between the polls
inline constexpr char kPollOffCpu[] = "PLUMBLINE::POLL_OFF_CPU";     // (uint64 ps) likewise: slept or waited for a CPU
inline constexpr char kAlsoPolled[] = "PLUMBLINE::ALSO_POLLED";      // (string) likewise: what else was asked
inline constexpr char kHints[] = "PLUMBLINE::HINTS";             // (string) IoCreateHandle, Leave of set_view: in force
inline constexpr char kHintsAsked[] = "PLUMBLINE::HINTS_ASKED";  // (string)
inline constexpr char kCountsSent[] = "PLUMBLINE::COUNTS_SENT";  // (string) CollectiveEnd: bytes per peer "8,16,8"
inline constexpr char kCountsReceived[] = "PLUMBLINE::COUNTS_RECEIVED";
// (uint64) NonBlockingCollectiveRequest: what its completion tells again, if the program ever asks for that. The number
// of an OTF2_CollectiveOp; the rank of the root, as in the completion; absent where there is none.
inline constexpr char kCollective[] = "PLUMBLINE::COLLECTIVE";
inline constexpr char kRoot[] = "PLUMBLINE::ROOT";
inline constexpr char kCollectiveSent[] = "PLUMBLINE::BYTES_SENT";
inline constexpr char kCollectiveReceived[] = "PLUMBLINE::BYTES_RECEIVED";
inline constexpr char kUnfinished[] = "PLUMBLINE::UNFINISHED";  // (uint64 1) Leave: the process ended in this call
inline constexpr char kRunDelay[] = "PLUMBLINE::RUN_DELAY";     // (uint64 ps) Enter: off the CPU since the last Leave
inline constexpr char kSendMode[] =
    "PLUMBLINE::SEND_MODE";  // (string) MpiSend/Isend: "synchronous", …; standard: absent
inline constexpr char kPersistent[] =
    "PLUMBLINE::PERSISTENT";  // (uint64) MpiIsend, MpiIrecvRequest, NonBlockingCollectiveRequest: the persistent
                              // request that was started, by a number of its own in the process
inline constexpr char kNeighboursSent[] =
    "PLUMBLINE::NEIGHBOURS_SENT";  // (string) Enter of neighbourhood collectives: "rank:bytes,rank:bytes"
inline constexpr char kNeighboursReceived[] = "PLUMBLINE::NEIGHBOURS_RECEIVED";
inline constexpr char kRequest[] = "PLUMBLINE::REQUEST";  // (uint64) Enter of non-blocking neighbourhood collectives
inline constexpr char kCompleted[] = "PLUMBLINE::COMPLETED";     // (string) Leave of waits, tests: requests "12,13"
                                                                 // completed that OTF2 has no completion record for
inline constexpr char kPath[] = "PLUMBLINE::PATH";               // (string) Enter of POSIX calls that use no I/O handle
inline constexpr char kSecondPath[] = "PLUMBLINE::SECOND_PATH";  // (string) likewise: the new name
inline constexpr char kLength[] = "PLUMBLINE::LENGTH";           // (uint64) likewise: bytes from ABSOLUTE_OFFSET on
inline constexpr char kProtection[] = "PLUMBLINE::PROTECTION";   // (string) Enter of mmap: "rw-"
inline constexpr char kFileLock[] = "PLUMBLINE::FILE_LOCK";      // (string) Enter of fcntl (lock), ..: "write,waits"
// One-sided communication. Enter: of the calls on a window that move nothing.
inline constexpr char kWindow[] = "PLUMBLINE::WINDOW";        // (uint64) Enter: index of the window
inline constexpr char kTarget[] = "PLUMBLINE::TARGET";        // (uint64) Enter of locks and flushes: rank in the window
inline constexpr char kAssertion[] = "PLUMBLINE::ASSERTION";  // (string) Enter: "nostore,noprecede"
inline constexpr char kGroup[] = "PLUMBLINE::GROUP";          // (string) Enter of post, start: world ranks "0,2"
inline constexpr char kAddress[] = "PLUMBLINE::ADDRESS";      // (uint64) Enter of attach, detach
inline constexpr char kWindowKind[] = "PLUMBLINE::WINDOW_KIND";    // (string) RmaWinCreate: "allocate", ..
inline constexpr char kWindowBytes[] = "PLUMBLINE::WINDOW_BYTES";  // (uint64) RmaWinCreate: of this rank's memory
inline constexpr char kDisplacementUnit[] =
    "PLUMBLINE::DISPLACEMENT_UNIT";                                  // (uint64) RmaWinCreate: bytes, of this rank
inline constexpr char kDisplacement[] = "PLUMBLINE::DISPLACEMENT";   // (int64) RmaPut, RmaGet, RmaAtomic: as posted, in
                                                                     // the target's units
inline constexpr char kOperation[] = "PLUMBLINE::OPERATION";         // (string) RmaAtomic: "sum"
inline constexpr char kOriginLayout[] = "PLUMBLINE::ORIGIN_LAYOUT";  // (string) RmaPut, ..: of a derived datatype
inline constexpr char kTargetLayout[] = "PLUMBLINE::TARGET_LAYOUT";
inline constexpr char kResultLayout[] = "PLUMBLINE::RESULT_LAYOUT";

// On locations of what happens inside of calls (kPropertyInsideOf).
inline constexpr char kCall[] = "PLUMBLINE::CALL";  // (uint64) Enter of a call of the program: its index among the
                                                    // calls of its own location
inline constexpr char kBelongsTo[] =
    "PLUMBLINE::BELONGS_TO";  // (uint64) MpiIsend, MpiIrecvRequest of a non-blocking collective that goes on in another
                              // call: index of the call that started it
inline constexpr char kUnknownBytes[] =
    "PLUMBLINE::UNKNOWN_BYTES";  // (uint64 1) MpiIsend, MpiIrecv: nothing tells its size, the record has 0

// On the location of the program's calls.
inline constexpr char kInnerRecords[] =
    "PLUMBLINE::INNER_RECORDS";  // (uint64) Leave: records that the tracer made inside of this call

inline constexpr char kErrorClass[] = "PLUMBLINE::ERROR_CLASS";  // (string) Leave: "MPI_ERR_RANK", the call failed

// Written into expected archives by the replay; all on Leave of a program-level call.
inline constexpr char kExpected[] = "PLUMBLINE::EXPECTED";             // (uint64 ps) anchored duration, lower bound
inline constexpr char kExpectedUpper[] = "PLUMBLINE::EXPECTED_UPPER";  // (uint64 ps) upper bound, where it differs
inline constexpr char kExpectedBand[] = "PLUMBLINE::EXPECTED_BAND";    // (uint64 ps) what the platform's spread allows
inline constexpr char kAsRun[] = "PLUMBLINE::AS_RUN";                  // (uint64 ps) with the recorded inner operations
inline constexpr char kAsRunUpper[] = "PLUMBLINE::AS_RUN_UPPER";
inline constexpr char kAsConfigured[] =
    "PLUMBLINE::AS_CONFIGURED";  // (uint64 ps) by the library's tables and the hints in force, where it differs
inline constexpr char kAsConfiguredUpper[] = "PLUMBLINE::AS_CONFIGURED_UPPER";
inline constexpr char kIdealOperations[] = "PLUMBLINE::IDEAL_IO_OPERATIONS";  // (uint64) POSIX data operations needed
inline constexpr char kNotJudged[] = "PLUMBLINE::NOT_JUDGED";                 // (string) why

// Properties of a location group (process).
inline constexpr char kPropertyHost[] = "PLUMBLINE::HOST";
inline constexpr char kPropertyCores[] = "PLUMBLINE::CORES";
inline constexpr char kPropertyLibrary[] = "PLUMBLINE::MPI_LIBRARY";
inline constexpr char kPropertyProgram[] = "PLUMBLINE::PROGRAM";
inline constexpr char kPropertyCostInside[] = "PLUMBLINE::COST_INSIDE_PS";
inline constexpr char kPropertyCostOutside[] = "PLUMBLINE::COST_OUTSIDE_PS";
inline constexpr char kPropertyPollGap[] = "PLUMBLINE::POLL_GAP_PS";
inline constexpr char kPropertyPollBreak[] = "PLUMBLINE::POLL_BREAK_PS";
inline constexpr char kPropertyLost[] = "PLUMBLINE::LOST_RECORDS";
inline constexpr char kPropertyEnd[] =
    "PLUMBLINE::END";  // finalized, or how else; docs/reference/trace-format-properties.md
inline constexpr char kPropertyEnded[] =
    "PLUMBLINE::ENDED_PS";  // when the parent of the process saw its end, as a time stamp; where that is known
inline constexpr char kPropertyDroppedCalls[] = "PLUMBLINE::DROPPED_CALLS";  // gave way to newer ones; absent: none
inline constexpr char kPropertyDroppedBytes[] = "PLUMBLINE::DROPPED_BYTES";  // likewise, of the spool
inline constexpr char kPropertyDroppedTime[] = "PLUMBLINE::DROPPED_PS";      // from MPI_Init to the first that is left
inline constexpr char kPropertyWindow[] =
    "PLUMBLINE::META::window";  // time after MPI_Init that was recorded: "10s:60s"
inline constexpr char kEndLeftOut[] = "not recorded: left out by --ranks";  // value of PLUMBLINE::END
inline constexpr char kPropertyRole[] = "PLUMBLINE::ROLE";  // "server": recorded without MPI; ranks have none
// Where the recording has several nodes: how this one's clock was lined up with that of the others.
inline constexpr char kPropertyClockMethod[] = "PLUMBLINE::CLOCK_METHOD";  // "reference", "exchanges" or "real time"
inline constexpr char kPropertyClockReference[] = "PLUMBLINE::CLOCK_REFERENCE";  // host that it was compared with
inline constexpr char kPropertyClockOffset[] = "PLUMBLINE::CLOCK_OFFSET_NS";     // that clock less this one, at first
inline constexpr char kPropertyClockDrift[] = "PLUMBLINE::CLOCK_DRIFT_PPM";      // of this difference
inline constexpr char kPropertyClockUncertainty[] = "PLUMBLINE::CLOCK_UNCERTAINTY_NS";  // over the whole recording
inline constexpr char kPropertyClockExchanges[] = "PLUMBLINE::CLOCK_EXCHANGES";         // that were made

inline constexpr char kPropertyAffinity[] = "PLUMBLINE::AFFINITY";  // processors it may run on, "0-3,8"
inline constexpr char kPropertyNuma[] = "PLUMBLINE::NUMA_NODES";    // those that they belong to, likewise

// Property of a location: it has what happens inside of the calls of that one (its number).
inline constexpr char kPropertyInsideOf[] = "PLUMBLINE::INSIDE_OF";

// Property of a location of an expected archive: what kind of component of the platform it is, "switch".
inline constexpr char kPropertyComponentKind[] = "PLUMBLINE::COMPONENT_KIND";

// Properties of the location group of a node, which holds its metrics (metric_names.hpp).
inline constexpr char kPropertySampleInterval[] = "PLUMBLINE::SAMPLE_INTERVAL_PS";
inline constexpr char kPropertySamples[] = "PLUMBLINE::SAMPLES";                 // how often it was sampled
inline constexpr char kPropertySampleCost[] = "PLUMBLINE::SAMPLE_COST_PS";       // processor time of one, on average
inline constexpr char kPropertySamplesMissing[] = "PLUMBLINE::SAMPLES_MISSING";  // "to the end"; absent: none

// Properties of a node in the system tree: what was read of it in /proc and /sys (node_facts.hpp). The first three are
// followed by a name of docs/reference/node-facts.md, or by a path.
inline constexpr char kNodeFact[] = "PLUMBLINE::NODE::";                   // a setting, at the beginning
inline constexpr char kNodeGrowth[] = "PLUMBLINE::NODE_GROWTH::";          // by how much a counter has grown
inline constexpr char kNodeUnreadable[] = "PLUMBLINE::NODE_UNREADABLE::";  // why a path could not be read
inline constexpr char kPropertyNodeRead[] = "PLUMBLINE::NODE_READ";        // one of the next two
inline constexpr char kNodeReadTwice[] = "at the beginning and at the end";
inline constexpr char kNodeReadOnce[] = "at the beginning";               // what counters have grown by is not known
inline constexpr char kPropertyNodeBegin[] = "PLUMBLINE::NODE_BEGIN_PS";  // when, as a time stamp
inline constexpr char kPropertyNodeEnd[] = "PLUMBLINE::NODE_END_PS";
inline constexpr char kPropertyNodeCost[] = "PLUMBLINE::NODE_READ_COST_PS";  // how long reading took, both together
inline constexpr char kPropertyNodeCounters[] = "PLUMBLINE::NODE_COUNTERS";  // that were compared
inline constexpr char kPropertyNodeLacks[] =
    "PLUMBLINE::NODE_LACKS";  // reading was broken off for want of "time" or "room"; absent: it was not

// Properties of a file: where its path lay (/proc/self/mountinfo of the rank that used it first).
inline constexpr char kPropertyFileSystem[] = "PLUMBLINE::FILE_SYSTEM";  // type, "nfs4"
inline constexpr char kPropertyMountPoint[] = "PLUMBLINE::MOUNT_POINT";
inline constexpr char kPropertyMountSource[] = "PLUMBLINE::MOUNT_SOURCE";  // "server:/export"
inline constexpr char kPropertyMountOptions[] = "PLUMBLINE::MOUNT_OPTIONS";

// Properties of the trace.
inline constexpr char kPropertyStopped[] =
    "PLUMBLINE::STOPPED_PS";  // when the user stopped the run, as a time stamp; calls in flight then hung
inline constexpr char kPropertyAnonymous[] = "PLUMBLINE::ANONYMOUS";  // "names": the users' own were replaced
inline constexpr char kPropertyKind[] = "PLUMBLINE::KIND";            // "observed" or "expected"
inline constexpr char kPropertyPlatform[] =
    "PLUMBLINE::PLATFORM";  // of an expected archive: file name and content hash
inline constexpr char kPropertySchedules[] =
    "PLUMBLINE::SCHEDULES";  // of an expected archive: which stood in for collectives
inline constexpr char kPropertySource[] =
    "PLUMBLINE::SOURCE";  // of an expected archive: content hash of the observed one

}  // namespace plumbline::archive::names
