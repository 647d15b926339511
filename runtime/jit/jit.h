// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component jit (layer 7): runs freshly compiled objects in this process.
//   native_loader  uses ORC's ObjectLinkingLayer alone (no LLVM target is initialised)
#pragma once

#include "native_loader.h"
