// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component world (layer 3): what definitions build up over time.
//   binding       modules and bindings
//   method        methods, method tables, overlays, method instances
//   host_functions  what kernels do not have, for hints
//   world         the World of a session: world age, definition, look-up, backedges
// All but host_functions are public, in kiln/extension/language.
#pragma once

#include "host_functions.h"

#include <kiln/extension/language/binding.h>
#include <kiln/extension/language/method.h>
#include <kiln/extension/language/world.h>
#include <lowered/lowered.h>

#include <shared_mutex>
