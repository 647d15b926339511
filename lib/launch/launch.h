// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts host values to the parameters of a launch:
//   kernel_view        a value as a kernel sees it: host arrays become device arrays
//   encode             values as the bytes of parameters
//   entry_parameters   those bytes in the layout of the entry
//   parameter_memory   places of addresses in parameters
//   mirrored_values    host arrays in values, and their copies on a device
#pragma once

#include "kernel_view.h"
#include "parameter_memory.h"

#include <devices/devices.h>
#include <kiln/extension/language/launch.h>
