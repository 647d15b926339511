// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component job (layer 4): the job, and everything that describes it to later components.
//   job.h       CompilerJob; config and target spec are public (kiln/job.h)
//   target_list.h  the targets of a session; the Target interface is public (kiln/extension/llvm/target.h)
//   options.h   rows of kiln/config.def; messages about options
//   read_options.h  makes a config of named values, for JSON, C, Python, manifests and the command line
//   fields.h    a config as a list of named values, for traces and worker processes
//   check.h     validation of configs
//   keys.h      the inference key and the object key
//   nested.h    configs within a config
//   linked.h    user files that are linked into a job
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

struct NestedFacts;

/// Properties of a target that inference may use. Typed code must depend on nothing else of the target,
/// because level 1 of the cache shares it between targets with equal facts.
struct InferenceFacts {
  Symbol target, target_version; ///< TargetIdentity
  Symbol overlay;                ///< method table that is searched before the common one
  bool always_inline = false;
  std::shared_ptr<const NestedFacts> nested; ///< facts of the nested configs; null: there are none
  bool operator==(const InferenceFacts &) const;
};

/// Inference facts of the nested configs, sorted by name.
struct NestedFacts {
  std::vector<std::pair<Symbol, InferenceFacts>> configs;
  bool operator==(const NestedFacts &) const = default;
  const InferenceFacts *find(Symbol name) const; ///< null: none
};

inline bool InferenceFacts::operator==(const InferenceFacts &other) const {
  return target == other.target && target_version == other.target_version && overlay == other.overlay &&
         always_inline == other.always_inline &&
         (nested == other.nested || (nested && other.nested && *nested == *other.nested));
}

} // namespace kiln

#include "check.h"
#include "fields.h"
#include "keys.h"
#include "linked.h"
#include "mangling.h"
#include "nested.h"
#include "options.h"
#include "read_options.h"
#include "target_list.h"
