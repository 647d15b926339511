// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/packages.h>

namespace kiln {

/// What JULIA_LOAD_PATH, JULIA_PROJECT and JULIA_DEPOT_PATH say, as far as the caller's EnvironmentScope lets
/// them.
PackageOptions packages_of_environment();

/// Gives a session a host for what packages run while they are loaded. Component programs, which stands
/// above, sets it where it is linked.
using PackageHostOffer = void (*)(Session &);
PackageHostOffer &package_host_offer();

} // namespace kiln
