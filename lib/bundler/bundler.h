// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component bundler (layer 11): writes bundles of compiled kernels (docs/design/bundle.md). The component
// bundle reads them. Public header: kiln/bundle_writer.h.
//
// - make_bundle: makes the bytes of a bundle from a job list
// - image_linker: links an object file as a position-independent image
// - compile_list: compiles a job list to kernels with code for several architectures
// - cpp_types: C++ types with the layout of the language's types
// - wrappers: writes the C++ header of launch wrappers
// - writer: writes the bundle's file format
#pragma once

#include "compile_list.h"
#include "image_linker.h"
#include "wrappers.h"
#include "writer.h"
