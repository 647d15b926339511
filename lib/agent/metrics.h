// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <support/support.h>

#include <string>

namespace kiln {

/// Converts an agent's report (docs/design/remote.md) to Prometheus' text format, version 0.0.4. Error
/// (Input): `report` is no JSON.
Result<std::string> metrics_of(const std::string &report);

} // namespace kiln
