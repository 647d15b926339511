// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component llvm_support (layer 5): LLVM infrastructure that other components share. It hides LLVM's
// process-wide state from them.
//   analyses   LLVM's analyses, for running passes
//   fatal_errors LLVM's fatal errors and llvm::Error as Result
//   worker     state reused between jobs: context, target machines, pipelines, resident libraries
//   resident   a library parsed once per worker; jobs get copies of the functions that they need
//   link_files links the functions of the user's bitcode that a job calls
//   sha256     SHA-256 for digests that name remote entries
//   module     parses, prints and verifies modules, and finds the entry
#pragma once

#include "analyses.h"
#include "fatal_errors.h"
#include "large_functions.h"
#include "link_files.h"
#include "module.h"
#include "resident.h"
#include "worker.h"
