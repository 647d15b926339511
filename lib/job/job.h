// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component job (layer 4): the one abstraction that all later components take.
//   job.h       CompilerJob; config and target spec are public (kiln/job.h)
//   target.h    the Target interface: what a target tells and its hooks, in the order of the flow
//   check.h     are the values of a config such as there can be
//   keys.h      the inference key and the object key
//   linked.h    files of the user's that are linked into a job
//   mangling.h  Itanium-mangled entry names
#pragma once

#include <kiln/job.h>
#include <world/world.h>

namespace kiln {

struct CompilerJob {
  const MethodInstance *source = nullptr;
  CompilerConfig config;
  WorldAge world = 0;
  bool operator==(const CompilerJob &) const = default;
};

/// Which target made something. Two targets, or two versions of one target, share nothing in the caches.
struct TargetIdentity {
  std::string name, version;
  auto operator<=>(const TargetIdentity &) const = default;
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
#include "target.h"
