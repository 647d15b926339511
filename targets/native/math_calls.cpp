// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps calls of mathematical functions that do not round correctly. LLVM would replace some calls whose
// arguments become constants during optimisation, with other last digits: it computes sinf in double
// precision, and pow(x, 2.0) as x * x. The results would then depend on the optimisations that ran.
#include "passes.h"

#include <algorithm>
#include <array>

namespace kiln::native {
namespace {

/// Names without the f of float variants. The C library rounds fma, floor, fmod, ldexp, sqrt and others
/// correctly, so those may be folded.
constexpr std::array<llvm::StringRef, 32> InexactFunctions{
    "acos",  "acosh", "asin",  "asinh", "atan",  "atan2", "atanh", "cbrt", "cos",    "cosh",   "erf",
    "erfc",  "exp",   "exp10", "exp2",  "expm1", "hypot", "j0",    "j1",   "jn",     "lgamma", "log",
    "log10", "log1p", "log2",  "pow",   "sin",   "sinh",  "tan",   "tanh", "tgamma", "y0"};

bool is_inexact(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  if (name.consume_front("llvm."))
    name = name.split('.').first;
  else if (std::ranges::find(InexactFunctions, name) == InexactFunctions.end())
    name.consume_back("f");
  return std::ranges::find(InexactFunctions, name) != InexactFunctions.end();
}

} // namespace

Result<void> keep_math_calls(const Target &, const CompilerConfig &, llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.isDeclaration() || !is_inexact(function)) continue;
    for (llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledOperand() == &function)
        call->addFnAttr(llvm::Attribute::NoBuiltin);
  }
  return {};
}

} // namespace kiln::native
