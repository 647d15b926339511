// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_api (layer 11): kiln/c.h over the public C++ API, and over nothing else of Kiln. Public:
// kiln/c.h, kiln/c_language.h.
//   session_call  what the functions that take a session share
//   language, values   what the functions of kiln/c_language.h share
//   session, launch, devices, report, code, define, extension, job   the functions, by subject
#pragma once

#include "session_call.h"
