#include "hwmodels/calibrate/costs.hpp"

#include <algorithm>

namespace plumbline::hw::calibration {

Costs divide(const Line& total, const Line& send, const Line& receive, bool& scaled) {
  Costs costs;
  const double calls = send.intercept + receive.intercept;
  const double fit = calls > total.intercept ? total.intercept / calls : 1;
  scaled = fit < 0.99;
  costs.send = fit * send.intercept;
  costs.receive = fit * receive.intercept;
  costs.latency = std::max(0.0, total.intercept - costs.send - costs.receive);
  const double per_byte = send.slope + receive.slope;
  costs.send_per_byte = send.slope * (per_byte > total.slope ? total.slope / per_byte : 1);
  costs.receive_per_byte = std::max(0.0, total.slope - costs.send_per_byte);
  return costs;
}

}  // namespace plumbline::hw::calibration
