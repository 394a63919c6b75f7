#pragma once
// Names of the members of a Validation in JSON, once: the writer and the reader both go by this list. A visitor is
// called with each name and member, in the order in which they are written.

#include <type_traits>

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

template <typename T, typename Value>
concept Is = std::is_same_v<std::remove_const_t<T>, Value>;

template <typename Visitor, Is<Datum> T>
void visit_members(Visitor& visit, T& datum) {
  visit("name", datum.name);
  visit("value", datum.value);
  visit("unit", datum.unit);
}

template <typename Visitor, Is<Origin> T>
void visit_members(Visitor& visit, T& origin) {
  visit("how", origin.how);
  visit("file", origin.file);
  visit("line", origin.line);
}

template <typename Visitor, Is<Observation> T>
void visit_members(Visitor& visit, T& observation) {
  visit("id", observation.id);
  visit("text", observation.text);
  visit("component", observation.component);
  visit("places", observation.places);
  visit("rows", observation.rows);
  visit("origin", observation.origin);
  visit("explained", observation.explained);
}

template <typename Visitor, Is<Retest> T>
void visit_members(Visitor& visit, T& retest) {
  visit("what", retest.what);
  visit("unit", retest.unit);
  visit("first", retest.first);
  visit("again", retest.again);
  visit("twin", retest.twin);
  visit("persists", retest.persists);
}

template <typename Visitor, Is<Remedy> T>
void visit_members(Visitor& visit, T& remedy) {
  visit("lines", remedy.lines);
  visit("openmpi", remedy.openmpi);
  visit("mpich", remedy.mpich);
}

template <typename Visitor, Is<Diagnosis> T>
void visit_members(Visitor& visit, T& diagnosis) {
  visit("id", diagnosis.id);
  visit("title", diagnosis.title);
  visit("component", diagnosis.component);
  visit("places", diagnosis.places);
  visit("mpi", diagnosis.mpi);
  visit("reference", diagnosis.reference);
  visit("cost_s", diagnosis.cost_s);
  visit("cost_share", diagnosis.cost_share);
  visit("cost_is_bound", diagnosis.cost_is_bound);
  visit("cells_share", diagnosis.cells_share);
  visit("cost_basis", diagnosis.cost_basis);
  visit("confidence", diagnosis.confidence);
  visit("samples", diagnosis.samples);
  visit("p", diagnosis.p);
  visit("retests", diagnosis.retests);
  visit("evidence", diagnosis.evidence);
  visit("origin", diagnosis.origin);
  visit("remedy", diagnosis.remedy);
  visit("predicted_gain_s", diagnosis.predicted_gain_s);
  visit("measured_gain_s", diagnosis.measured_gain_s);
  visit("one_of", diagnosis.one_of);
  visit("fatal", diagnosis.fatal);
  visit("suppressed_by", diagnosis.suppressed_by);
}

template <typename Visitor, Is<CheckResult> T>
void visit_members(Visitor& visit, T& result) {
  visit("id", result.id);
  visit("state", result.state);
  visit("reason", result.reason);
  visit("seconds", result.seconds);
}

template <typename Visitor, Is<StageTime> T>
void visit_members(Visitor& visit, T& stage) {
  visit("name", stage.name);
  visit("seconds", stage.seconds);
  visit("complete", stage.complete);
  visit("fault", stage.fault);
  visit("cannot_run", stage.cannot_run);
}

template <typename Visitor, Is<SuiteRun> T>
void visit_members(Visitor& visit, T& run) {
  visit("name", run.name);
  visit("mpi", run.mpi);
  visit("observed_s", run.observed_s);
  visit("again_s", run.again_s);
  visit("expected_s", run.expected_s);
  visit("judged_share", run.judged_share);
  visit("archive", run.archive);
  visit("report", run.report);
  visit("fault", run.fault);
}

template <typename Visitor, Is<Machine> T>
void visit_members(Visitor& visit, T& machine) {
  visit("nodes", machine.nodes);
  visit("ranks", machine.ranks);
  visit("cores_per_node", machine.cores_per_node);
  visit("mpis", machine.mpis);
  visit("kernel", machine.kernel);
}

template <typename Visitor, Is<Validation> T>
void visit_members(Visitor& visit, T& validation) {
  visit("plumbline", validation.version);
  visit("created", validation.created);
  visit("command", validation.command);
  visit("level", validation.level);
  visit("machine", validation.machine);
  visit("stages", validation.stages);
  visit("interrupted", validation.interrupted);
  visit("disturbances", validation.disturbances);
  visit("diagnoses", validation.diagnoses);
  visit("observations", validation.observations);
  visit("checks", validation.checks);
  visit("suite", validation.suite);
  visit("unexplained_s", validation.unexplained_s);
  visit("platform", validation.platform);
  visit("notes", validation.notes);
}

}  // namespace plumbline::replay::validate
