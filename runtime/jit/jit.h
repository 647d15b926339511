// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component jit (layer 7): runs freshly compiled objects in this process.
//   native_loader  loads objects with ORC's ObjectLinkingLayer, without an LLVM target
#pragma once

#include "native_loader.h"
