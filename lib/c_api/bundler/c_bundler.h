// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_bundler (layer 12): writes bundles for C programs. It uses the C API and kiln/bundle_writer.h.
// Public header: kiln/c_bundle.h.
//
// - make_bundle: converts a job list and options to C++, and returns the bytes of the bundle
#pragma once

#include <c_api/c_api.h>
