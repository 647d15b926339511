// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component frontend (layer 4): the interface for languages. It is public:
// kiln/extension/language/frontend.h.
#pragma once

#include <kiln/extension/language/frontend.h>
