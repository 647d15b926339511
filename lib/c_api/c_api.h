// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_api (layer 11): implements kiln/c.h with the public C++ API alone. Public headers: kiln/c.h,
// kiln/c_language.h, kiln/c_compile.h, kiln/c_cache.h, kiln/c_tools.h, kiln/c_frontend.h, kiln/c_types.h.
//
// - session_call: helpers for functions that take a session
// - language, values: helpers for the functions of kiln/c_language.h
// - session, launch, devices, report, code, define, extension, job, calls, frontend: functions of the API, a
//   file for each subject
// - compile, job_list, cache, tools, types: functions of kiln/c_compile.h, c_cache.h, c_tools.h and c_types.h
#pragma once

#include "session_call.h"
