// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component bundle (layer 7): kernels that were compiled when a program was built, in one file. It opens the
// file and loads kernels out of it; what writes it is component bundler. docs/design/bundle.md. Public:
// kiln/bundle.h.
//   format      the file, byte for byte
//   reader      a file that was checked, and what its index says
//   image       a kernel's CPU code: placed into memory and bound to this process
//   images      code for GPUs by its architecture
//   cpu_level   which of x86-64-v2, v3 and v4 this processor is
//   open        the handles of kiln/bundle.h; load: their kernels on devices
#pragma once

#include "cpu_level.h"
#include "format.h"
#include "image.h"
#include "images.h"
#include "reader.h"
