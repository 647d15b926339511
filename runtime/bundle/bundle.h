// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component bundle (layer 7): loads kernels from one file, compiled at the build of a program. Component
// bundler writes the file. docs/design/bundle.md. Public: kiln/bundle.h.
//   format      file layout
//   reader      a checked file and its index
//   image       a kernel's CPU code: placed into memory and bound to this process
//   images      code for GPUs by architecture
//   cpu_level   x86-64 level (v2, v3, v4) of this processor
//   open        handles declared in kiln/bundle.h; load: loads a bundle's kernels on devices
#pragma once

#include "cpu_level.h"
#include "format.h"
#include "image.h"
#include "images.h"
#include "reader.h"
