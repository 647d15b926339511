// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component bundler (layer 11): writes bundles; component bundle reads them. Public: kiln/bundle_writer.h.
// docs/design/bundle.md.
//   make_bundle    from jobs to the bytes of a bundle
//   image_linker   an object as a position-independent image
//   compile_list   the jobs of a list as kernels with code for several architectures
//   cpp_types      types of the language in C++
//   wrappers       the header of launch wrappers
//   writer         the file
#pragma once

#include "compile_list.h"
#include "image_linker.h"
#include "wrappers.h"
#include "writer.h"
