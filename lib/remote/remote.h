// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component remote (layer 2): what a session and the agent of its node have in common.
//   protocol   messages between the two, and where they meet
#pragma once

#include "protocol.h"
