// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component llvm_support (layer 5): all that is shared about LLVM, so that no other component deals with its
// process-wide habits. Components that include it: emit, rewrite, optimize, codegen, driver, targets,
// session.
//   contain    LLVM's fatal errors and llvm::Error as Result
//   worker     what one thread keeps: context, target machines, code-generation pipelines, resident libraries
//   resident   a library parsed once a worker; jobs get copies of the functions that they need
//   link_files the user's bitcode: what of it a job calls
//   module     parse, print, verify, look up the entry
#pragma once

#include "fatal_errors.h"
#include "large_functions.h"
#include "link_files.h"
#include "module.h"
#include "resident.h"
#include "worker.h"
