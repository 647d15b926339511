// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component frontend (layer 4): the interface between the compiler and a language. The header is public:
// kiln/extension/language/frontend.h.
#pragma once

#include <kiln/extension/language/frontend.h>
