// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of the user's that are linked into a job (kiln/job.h): what the components that link them ask.
#pragma once

#include <kiln/job.h>

#include <string_view>

namespace kiln {

/// Whether it becomes part of the job's module; else the assembler links it.
bool is_llvm_ir(const LinkedFile &file);
/// Whether the assembler has something to link.
bool has_device_code(const CompilerConfig &config);
/// Whether a file that the assembler links may define `function`. False is certain; of formats whose names
/// cannot be read, the linker has the last word.
bool may_define(const CompilerConfig &config, std::string_view function);

} // namespace kiln
