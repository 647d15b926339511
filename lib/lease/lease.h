// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component lease (layer 2): one compile of a kernel in a fleet. No I/O and no clock: the caller passes the
// time, carries out actions, and reports replies (docs/design/remote.md, "Leases").
//   messages     keys, grants, actions, replies, rules, counters
//   lease_table  the leases that the sessions of one agent hold and wait for
#pragma once

#include "lease_table.h"
#include "messages.h"
