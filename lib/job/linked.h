// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// User files that are linked into a job (kiln/job.h): queries for the components that link them.
#pragma once

#include <kiln/job.h>

#include <string_view>

namespace kiln {

/// True if the file is LLVM IR, which becomes part of the job's module. Other files are linked by the
/// assembler.
bool is_llvm_ir(const LinkedFile &file);
/// True if the assembler has files to link.
bool has_device_code(const CompilerConfig &config);
/// True if a file that the assembler links may define `function`. A result of false is certain. Formats whose
/// names cannot be read always give true, and the linker decides.
bool may_define(const CompilerConfig &config, std::string_view function);

} // namespace kiln
