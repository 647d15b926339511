// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component world (layer 3): the state that definitions change over time.
//   binding       modules and bindings
//   method        methods, method tables, overlays, method instances
//   host_functions  functions that kernels lack, for hints
//   world         the World of a session: world age, definition, look-up, backedges
// All but host_functions are in kiln/extension/language: World's public interface there, the rest in
// internal/.
#pragma once

#include "host_functions.h"

#include <kiln/extension/language/internal/binding.h>
#include <kiln/extension/language/internal/method.h>
#include <kiln/extension/language/internal/world.h>
#include <lowered/lowered.h>

#include <shared_mutex>
