// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component abi (layer 1): what compiled code and host agree on. The structures are public (kiln/abi.h); here
// are the names of exception kinds, which device runtime and host share.
#pragma once

#include <kiln/abi.h>
#include <string_view>

namespace kiln::abi {

std::string_view exception_name(ExceptionKind kind);
ExceptionKind exception_kind(std::string_view name); ///< Unknown if there is none of that name

} // namespace kiln::abi
