// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/packages.h>

namespace kiln {

/// Gives a session a host for what packages run while they are loaded. Component programs, which stands
/// above, sets it where it is linked.
using PackageHostOffer = void (*)(Session &);
PackageHostOffer &package_host_offer();

} // namespace kiln
