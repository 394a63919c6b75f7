#include "sample.hpp"

#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"

namespace plumbline::replay::validate {
namespace {

Diagnosis cable() {
  Diagnosis found;
  found.id = "net.link.rate";
  found.title = "a cable carries 48 of 100 Mbit/s";
  found.component = "cable n3-s0";
  found.places = {"n3"};
  found.reference = Reference::kPeers;
  found.cost_s = 4.1;
  found.cost_share = 0.205;
  found.cost_basis = "the suite replayed with the cable at the median of its peers";
  found.confidence = Confidence::kHigh;
  found.samples = 214;
  found.p = 0.0004;
  found.retests = {{.what = "rate, 1 MiB",
                    .unit = "Mbit/s",
                    .first = 48,
                    .again = {48.2, 47.9},
                    .twin = {96, 96.1},
                    .persists = true}};
  found.evidence = {{"observed", "48", "Mbit/s"}, {"peers", "96", "Mbit/s"}};
  found.remedy = remedy_of(*find_check("net.link.rate"));
  found.predicted_gain_s = 3.9;
  return found;
}

Diagnosis shared_memory() {
  Diagnosis found;
  found.id = "mpi.transport.no-shared-memory";
  found.title = "ranks of one node talk over TCP";
  found.component = "btl";
  found.mpi = "openmpi";
  found.cost_s = 2.1;
  found.cost_share = 0.105;
  found.cost_is_bound = true;
  found.confidence = Confidence::kCertain;
  found.origin = Origin{"file", "/etc/openmpi/openmpi-mca-params.conf", 62};
  found.remedy = remedy_of(*find_check("mpi.transport.no-shared-memory"));
  found.predicted_gain_s = 2.0;
  found.measured_gain_s = 1.9;
  found.one_of = {"btl", "pml"};
  return found;
}

Diagnosis accepted() {
  Diagnosis found;
  found.id = "cpu.governor";
  found.title = "the governor is powersave";
  found.component = "cpu";
  found.places = {"n0", "n1"};
  found.cost_s = 9;
  found.cost_share = 0.45;
  found.cells_share = 0.2;
  found.suppressed_by = "site.suppress:3";
  return found;
}

void set_state(Validation& validation, std::string_view id, CheckState state, const char* reason) {
  for (CheckResult& result : validation.checks)
    if (result.id == id) result.state = state, result.reason = reason;
}

}  // namespace

Validation healthy_validation() {
  Validation validation;
  validation.version = "0.1.0";
  validation.created = "2026-11-25T20:48:00Z";
  validation.command = "plumbline validate --quick";
  validation.level = "quick";
  validation.machine = {{"n0", "n1", "n2", "n3"}, 8, 4, {"Open MPI 4.1.4", "MPICH 4.0.2"}, "6.1.0-13-amd64"};
  validation.stages = {{"pre-flight", 1.5, true}, {"measure", 61, true}, {"suite", 80, true}, {"diagnose", 9, true}};
  for (const Check& check : catalogue())
    validation.checks.push_back({std::string(check.id), CheckState::kPassed, "", 0.25});
  set_state(validation, "cpu.governor", CheckState::kCouldNotRun, "no cpufreq on these nodes");
  set_state(validation, "cpu.idle-states", CheckState::kCouldNotRun, "no cpuidle on these nodes");
  set_state(validation, "disk.write-cache-off", CheckState::kCouldNotRun, "permission denied: /sys/block/sda/queue");
  set_state(validation, "net.pcie-width", CheckState::kCouldNotRun, "no PCIe on these nodes");
  set_state(validation, "server.slow", CheckState::kNotJudged, "one server has no peers");
  set_state(validation, "storage.slow", CheckState::kNotJudged, "all reads may have come from a cache");
  validation.suite = {{.name = "ring",
                       .mpi = "openmpi",
                       .observed_s = 8,
                       .expected_s = 5,
                       .judged_share = 0.97,
                       .archive = "suite/ring-openmpi",
                       .report = "suite/ring-openmpi.json",
                       .again_s = {8.1, 7.9}},
                      {.name = "ring",
                       .mpi = "mpich",
                       .observed_s = 7,
                       .expected_s = 6.9,
                       .judged_share = 0.95,
                       .archive = "suite/ring-mpich",
                       .report = ""},
                      {.name = "halo",
                       .mpi = "mpich",
                       .observed_s = 5,
                       .expected_s = 4.9,
                       .judged_share = 0.9,
                       .archive = "suite/halo-mpich",
                       .report = ""}};
  validation.platform = "platform.xml";
  return validation;
}

Validation sample_validation() {
  Validation validation = healthy_validation();
  validation.diagnoses = {cable(), shared_memory(), accepted()};
  set_state(validation, "cpu.governor", CheckState::kPassed, "");
  mark_found_checks(validation);
  validation.observations = {{.id = "net.retransmits",
                              .text = "TCP sent 214 segments again",
                              .component = "eth0",
                              .places = {"n3"},
                              .rows = {{"RetransSegs", "214", ""}},
                              .explained = true},
                             {.id = "mpi.setting.changed",
                              .text = "coll_tuned_bcast_algorithm is 1",
                              .component = "coll_tuned_bcast_algorithm",
                              .places = {},
                              .rows = {{"value", "1", ""}, {"default", "0", ""}},
                              .origin = Origin{"environment", "OMPI_MCA_coll_tuned_bcast_algorithm", 0}}};
  validation.suite.push_back(
      {.name = "metadata", .mpi = "openmpi", .archive = "", .report = "", .fault = "rank 3 was killed by signal 9"});
  validation.disturbances = {"load of 1.4 by `make` on n1"};
  validation.unexplained_s = 0.4;
  validation.notes = {"the platform was calibrated in the same run"};
  return validation;
}

}  // namespace plumbline::replay::validate
