// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component world (layer 3): the state of a session that definitions change over time.
//   binding       modules and bindings
//   method        methods, method tables, overlays, method instances
//   host_functions  hints for calls of functions that kernels cannot call
//   world         the World of a session: world age, definition, look-up, backedges
// The headers other than host_functions are in kiln/extension/language: World's public interface directly,
// the other headers in internal/.
#pragma once

#include "host_functions.h"

#include <kiln/extension/language/internal/binding.h>
#include <kiln/extension/language/internal/method.h>
#include <kiln/extension/language/internal/world.h>
#include <lowered/lowered.h>

#include <shared_mutex>
