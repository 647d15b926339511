// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hook of the interpreter for languages that define some names only when code reads them.
#pragma once

#include <kiln/extension/language/symbol.h>
#include <kiln/result.h>

#include <functional>

namespace kiln {

class Interpreter;

/// Called before code reads a module's member by a computed name: getfield(M, s), isdefined(M, s). The hook
/// may define the member.
using MemberLoader = std::function<Result<void>(Symbol name)>;
/// Sets the hook; an empty function removes it. Must not be called while the interpreter runs.
KILN_API void set_member_loader(Interpreter &interpreter, MemberLoader loader);

} // namespace kiln
