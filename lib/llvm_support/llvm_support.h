// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component llvm_support (layer 5): shared LLVM infrastructure, which hides LLVM's process-wide state from
// other components. Included by: emit, rewrite, optimize, codegen, driver, targets, session.
//   contain    LLVM's fatal errors and llvm::Error as Result
//   worker     per-thread state: context, target machines, code-generation pipelines, resident libraries
//   resident   a library parsed once per worker; jobs get copies of the functions that they need
//   link_files the user's bitcode: functions that a job calls
//   sha256     SHA-256 for digests that name remote entries
//   module     parse, print, verify, look up the entry
#pragma once

#include "fatal_errors.h"
#include "large_functions.h"
#include "link_files.h"
#include "module.h"
#include "resident.h"
#include "worker.h"
