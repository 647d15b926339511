// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component job (layer 4): the one abstraction that all later components take.
//   job.h       CompilerJob; config and target spec are public (kiln/job.h)
//   target_list.h  the targets of a session; the Target interface is public (kiln/extension/llvm/target.h)
//   check.h     are the values of a config such as there can be
//   keys.h      the inference key and the object key
//   linked.h    files of the user's that are linked into a job
//   mangling.h  Itanium-mangled entry names
#pragma once

#include <kiln/extension/llvm/target.h>
#include <kiln/job.h>
#include <world/world.h>

namespace kiln {

struct CompilerJob {
  const MethodInstance *source = nullptr;
  CompilerConfig config;
  WorldAge world = 0;
  bool operator==(const CompilerJob &) const = default;
};

/// What inference may see of a target: nothing else of it may influence typed code (the purity rule of level
/// 1).
struct InferenceFacts {
  Symbol target, target_version; ///< TargetIdentity
  Symbol overlay;                ///< the target's overlay method table
  bool always_inline = false;
  bool operator==(const InferenceFacts &) const = default;
};

} // namespace kiln

#include "check.h"
#include "keys.h"
#include "linked.h"
#include "mangling.h"
#include "target_list.h"
