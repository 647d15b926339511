// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component session (layer 9): the class Session of kiln/session.h, made of four services. Files:
//   session        public functions; timings: functions for reports; interrupt: kiln/interrupt.h
//   session_state  owns the services
//   session_log    SessionLog: messages, timings, statistics
//   define/        Definitions: types, methods, languages
//   jobs/          JobService: resolves calls to jobs; makes their typed code and products
//   launch/        LaunchService: devices, loaded kernels, launches
//   options/       options, environment variables and the folders of the cache
//   call_scope     RAII scope of every public call
//
// Kiln's components in higher layers use the services through the functions below. The program kiln and
// embedders use the public headers.
#pragma once

#include "build_digest.h"
#include "call_scope.h"
#include "define/definitions.h"
#include "jobs/job_service.h"
#include "jobs/trace.h"
#include "launch/launch_service.h"
#include "options/environment.h"
#include "options/folders.h"
#include "session_log.h"

namespace kiln {

KILN_PROGRAMS_API SessionLog &log_of(Session &session);
KILN_PROGRAMS_API Definitions &definitions_of(Session &session);
KILN_PROGRAMS_API JobService &jobs_of(Session &session);
KILN_PROGRAMS_API LaunchService &launches_of(Session &session);
const CallGate &gate_of(Session &session);

} // namespace kiln
