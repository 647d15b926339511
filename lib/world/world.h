// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component world (layer 3): what definitions build up over time.
//   module        modules and bindings
//   method        methods, method tables, overlays, method instances
//   host_functions  what kernels do not have, for hints
//   world         the World of a session: world age, definition, look-up, backedges
#pragma once

#include "host_functions.h"
#include "method.h"
#include "module.h"
#include "world_state.h"
