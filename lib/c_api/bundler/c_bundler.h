// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_bundler (layer 12): bundles in C, over the C API and kiln/bundle_writer.h. Public:
// kiln/c_bundle.h.
// make_bundle   converts the list and options to C++, and returns the file's bytes
#pragma once

#include <c_api/c_api.h>
