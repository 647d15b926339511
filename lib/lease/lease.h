// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component lease (layer 2): ensures that one session of a fleet compiles a kernel and the others wait. It
// has no I/O and no clock: the caller passes the time, carries out actions, and reports replies
// (docs/design/remote.md, "Leases").
//   messages     keys, grants, actions, replies, rules, counters
//   lease_table  leases that the sessions of one agent hold or wait for
#pragma once

#include "lease_table.h"
#include "messages.h"
