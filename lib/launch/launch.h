// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts host values to the parameters of a launch:
//   kernel_view        values as a kernel sees them: host arrays become device arrays
//   encode             bytes of argument values
//   entry_parameters   bytes of arguments in the parameter layout of the entry
//   parameter_memory   offsets of addresses in the bytes of parameters
//   mirrored_values    host arrays in values, and their copies on a device
#pragma once

#include "kernel_view.h"
#include "parameter_memory.h"

#include <devices/devices.h>
#include <kiln/extension/language/launch.h>
