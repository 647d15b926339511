// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The .jl files of runtime/ as they were when the program was built, each list in the order in which a
// session loads it, indexed (tools/embed). The spans and all text are static.
#pragma once

#include <support/support.h>

namespace kiln {

std::span<const EmbeddedSource> base_sources();               ///< into module Base
std::span<const EmbeddedSource> device_sources();             ///< into module CUDA
std::span<const EmbeddedSource> kernelabstractions_sources(); ///< into module KernelAbstractions
std::span<const EmbeddedSource> static_arrays_sources();      ///< into module Base, for programs that name a
                                                              ///< static array
std::span<const EmbeddedSource> lazy_iterators_sources();     ///< into module Base, for programs that name
                                                              ///< Iterators
std::span<const EmbeddedSource> random_sources(); ///< into module Base, for programs that name rand or Random
std::span<const EmbeddedSource> preferences_sources();        ///< into module Base, for packages that name
                                                              ///< Preferences
std::span<const EmbeddedSource> structured_sources();         ///< into module Base, for programs that name a
                                                              ///< triangular, symmetric or diagonal matrix
std::span<const EmbeddedSource> program_structured_sources(); ///< the same, when a program is run
std::span<const EmbeddedSource> package_support_sources();    ///< into module Base, for packages from sources
std::span<const EmbeddedSource> program_sources();            ///< into module Base, when a program is run
std::span<const EmbeddedSource> program_overlay_sources(); ///< into module Base, as the overlay of host code
std::span<const EmbeddedSource> program_random_sources();  ///< into module Base, for programs that name
                                                           ///< rand or Random
std::span<const EmbeddedSource> program_dates_sources();   ///< into module Base, for programs that name Dates
std::span<const EmbeddedSource> program_delimited_sources();    ///< the same of DelimitedFiles
std::span<const EmbeddedSource> program_cuda_sources();         ///< into module CUDA, for programs that name
                                                                ///< it
std::span<const EmbeddedSource> program_modules_sources();      ///< into module Base, with those
std::span<const EmbeddedSource> program_abstractions_sources(); ///< into module KernelAbstractions, with
                                                                ///< those
std::span<const EmbeddedSource> program_styles_sources();       ///< into module Base, for programs with a
                                                                ///< BroadcastStyle of their own
std::span<const EmbeddedSource> program_cuda_styles_sources();  ///< into module CUDA, with those
std::span<const EmbeddedSource> wmma_names_sources();           ///< into module CUDA, for programs that name
                                                                ///< llvm_wmma_...
std::span<const EmbeddedSource> ptx_overlay_sources();          ///< into module CUDA, as the ptx overlay
std::span<const EmbeddedSource> native_overlay_sources();       ///< into module CUDA, as the native overlay

} // namespace kiln
