#include "replay/validate/preflight/control_variables.hpp"

#include <gtest/gtest.h>

namespace plumbline::replay::validate {
namespace {

const std::map<std::string, std::string> kFacts = {{"cvar.btl", "tcp,self"},
                                                   {"cvar_source.btl", "environment"},
                                                   {"cvar.pml", "^ucx"},
                                                   {"cvar_source.pml", "file /etc/openmpi/openmpi-mca-params.conf"},
                                                   {"cvar.btl_tcp_eager_limit", "65536"},
                                                   {"cvar.MPIR_CVAR_NOLOCAL", "1"},
                                                   {"env.MPICH_NOLOCAL", "1"},
                                                   {"env.UCX_TLS", "tcp"},
                                                   {"env.OMPI_MCA_btl", "tcp,self"},
                                                   {"env.HOME", "/root"},
                                                   {"openmpi.pml", "ob1"},
                                                   {"thread_level", "single"}};

const ControlVariable& of(const std::vector<ControlVariable>& variables, const char* name) {
  const ControlVariable* found = find_variable(variables, name, "openmpi");
  if (found == nullptr) throw std::out_of_range(name);
  return *found;
}

TEST(ControlVariables, OfARecordingSayWhoHasSetThem) {
  const auto variables = control_variables(kFacts, "openmpi");
  EXPECT_EQ(variables.size(), 6U);
  EXPECT_EQ(of(variables, "pml.selected").value, "ob1");
  EXPECT_EQ(of(variables, "btl").origin, (Origin{"environment", "OMPI_MCA_btl", 0}));
  EXPECT_EQ(of(variables, "pml").origin, (Origin{"file", "/etc/openmpi/openmpi-mca-params.conf", 0}));
  EXPECT_TRUE(of(variables, "pml").is_set());
  EXPECT_FALSE(of(variables, "btl_tcp_eager_limit").is_set());
}

TEST(ControlVariables, OfTheEnvironmentKeepTheNameThatWasUsed) {
  const auto variables = control_variables(kFacts, "openmpi");
  EXPECT_EQ(of(variables, "MPIR_CVAR_NOLOCAL").origin, (Origin{"environment", "MPICH_NOLOCAL", 0}));
  EXPECT_EQ(of(variables, "UCX_TLS").origin, (Origin{"environment", "UCX_TLS", 0}));
  EXPECT_EQ(find_variable(variables, "HOME", "openmpi"), nullptr);
  EXPECT_EQ(find_variable(variables, "btl", "mpich"), nullptr);
}

TEST(ControlVariables, OfARankKeepFileAndLine) {
  node::RankIdentity identity;
  identity.flavour = "openmpi";
  identity.settings = {{"pml", "^ucx", "file", "/etc/x.conf", 61}, {"btl", "tcp", "environment", "", 0}};
  const auto variables = control_variables(identity);
  EXPECT_EQ(of(variables, "pml").origin, (Origin{"file", "/etc/x.conf", 61}));
  EXPECT_EQ(of(variables, "btl").origin, (Origin{"environment", "OMPI_MCA_btl", 0}));
}

TEST(ControlVariables, SetToItsDefaultIsNotSet) {
  EXPECT_FALSE((ControlVariable{"a", "1", "1", {"environment", "OMPI_MCA_a", 0}, "openmpi"}.is_set()));
  EXPECT_FALSE((ControlVariable{"a", "2", "1", {"default", "", 0}, "openmpi"}.is_set()));
  EXPECT_TRUE((ControlVariable{"a", "2", "1", {"set", "", 0}, "openmpi"}.is_set()));
}

}  // namespace
}  // namespace plumbline::replay::validate
