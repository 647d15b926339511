// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "value.h"

#include "context_state.h"
#include "layout.h"
#include "module.h"
#include "print.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace kiln {

namespace {

std::unexpected_tag *unused_tag = nullptr;

} // namespace

} // namespace kiln
