// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component abi (layer 1): names of exception kinds, shared by device runtime and host. The structures
// between compiled code and host are public (kiln/abi.h).
#pragma once

#include <kiln/abi.h>
#include <string_view>

namespace kiln::abi {

std::string_view exception_name(ExceptionKind kind);
ExceptionKind exception_kind(std::string_view name); ///< Unknown for other names

} // namespace kiln::abi
