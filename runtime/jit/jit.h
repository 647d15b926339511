// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component jit (layer 7): objects that were compiled a moment ago as code of this process.
//   native_loader  by ORC's ObjectLinkingLayer alone (no LLVM target is initialised)
#pragma once

#include "native_loader.h"
