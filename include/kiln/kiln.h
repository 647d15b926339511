// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of Kiln's public API.
#pragma once

#include <kiln/abi.h>
#include <kiln/device.h>
#include <kiln/foreign.h>
#include <kiln/job.h>
#include <kiln/result.h>
#include <kiln/session.h>
#include <kiln/stream.h>
#include <kiln/timing.h>
