// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component pipeline (layer 7): from a job to its artifact.
//   compile          the pipeline itself, a step a function; start reading there
//   cached_compile   both levels of the cache around it
//   keys             what a job's keys are made of, and explaining them
//   assemble         from a target's text to what its device loads
//   assemble_many    several kernels in one cubin, for launches
//   assemblers       each target's assembler, found once a session
//   ir_functions     functions whose body is an embedder's LLVM IR: checked; ir_link puts them into modules
//   ir_hooks         an embedder's hooks that take and give LLVM's text
//   products         the products of the steps as artifacts, and for observers
//   worker_processes  work behind emission in other processes; worker_jobs: what is asked of them, as bytes;
//                worker_service: their side of it
//   job_hooks        those of a config, or some that do nothing
//   stages           run_stage: times, skips and verifies a step
//   compiler         what compiling needs besides the job, and its public functions
#pragma once

#include "compiler.h"
#include "worker_processes.h"
