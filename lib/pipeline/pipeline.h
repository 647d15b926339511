// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component pipeline (layer 7): from a job to its artifact.
//   compile          the pipeline itself, one function per step; start reading there
//   cached_compile   the two levels of the cache around it
//   keys             contents of a job's keys, and their explanation
//   assemble         from a target's text to code for its device
//   assemble_many    several kernels in one cubin, for launches
//   assemblers       each target's assembler, found once per session
//   ir_functions     functions with LLVM IR bodies: checks; ir_link links them into modules
//   ir_hooks         an embedder's hooks on LLVM text
//   products         products of the steps as artifacts, and for observers
//   worker_processes  steps after emission in other processes; worker_jobs: their messages as bytes;
//                    worker_service: the worker's side
//   job_hooks        hooks of a config, or hooks that do nothing
//   stages           run_stage: times, skips and verifies a step
//   compiler         shared state and public functions of compiling
#pragma once

#include "compiler.h"
#include "worker_processes.h"
