// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/packages.h>

namespace kiln {

/// What JULIA_LOAD_PATH, JULIA_PROJECT and JULIA_DEPOT_PATH say, as far as the caller's EnvironmentScope lets
/// them.
PackageOptions packages_of_environment();

} // namespace kiln
