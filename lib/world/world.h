// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component world (layer 3): what definitions build up over time.
//   binding       modules and bindings
//   method        methods, method tables, overlays, method instances
//   host_functions  what kernels do not have, for hints
//   world         the World of a session: world age, definition, look-up, backedges
// All but host_functions are in kiln/extension/language, internal/ but for the public face of World.
#pragma once

#include "host_functions.h"

#include <kiln/extension/language/internal/binding.h>
#include <kiln/extension/language/internal/method.h>
#include <kiln/extension/language/internal/world.h>
#include <lowered/lowered.h>

#include <shared_mutex>
