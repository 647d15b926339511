// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mathematics.h"

#include "builtins.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::spirv {
namespace {

constexpr bool Inexact = true;
constexpr MathFunction functions[] = {{"acos", "d", Inexact},
                                      {"acosh", "d", Inexact},
                                      {"asin", "d", Inexact},
                                      {"asinh", "d", Inexact},
                                      {"atan", "d", Inexact},
                                      {"atan2", "dd", Inexact},
                                      {"atanh", "d", Inexact},
                                      {"cbrt", "d"},
                                      {"cos", "d", Inexact},
                                      {"cosh", "d", Inexact},
                                      {"erf", "d"},
                                      {"erfc", "d"},
                                      {"exp", "d"},
                                      {"exp10", "d"},
                                      {"exp2", "d"},
                                      {"expm1", "d"},
                                      {"fdim", "dd"},
                                      {"fmod", "dd"},
                                      {"hypot", "dd", Inexact},
                                      {"ldexp", "di"},
                                      {"lgamma", "d"},
                                      {"log", "d"},
                                      {"log10", "d"},
                                      {"log1p", "d"},
                                      {"log2", "d"},
                                      {"logb", "d"},
                                      {"nextafter", "dd"},
                                      {"pow", "dd"},
                                      {"pown", "di"},
                                      {"remainder", "dd"},
                                      {"sin", "d", Inexact},
                                      {"sinh", "d", Inexact},
                                      {"tan", "d", Inexact},
                                      {"tanh", "d", Inexact},
                                      {"tgamma", "d"}};

} // namespace

const MathFunction *find_math_function(llvm::StringRef name) {
  const auto *found = std::ranges::find_if(
      functions, [&](const MathFunction &each) { return name == llvm::StringRef(each.name); });
  return found == std::end(functions) ? nullptr : found;
}

Doubles doubles_for(const CompilerConfig &config, const Features &features) {
  const bool names_features = !config.target.get<SpirvOptions>().features.empty();
  return names_features && features.has(Feature::fp64) && !config.target.fast_math ? Doubles::Yes
                                                                                   : Doubles::No;
}

llvm::Value *call_math_function(llvm::IRBuilder<> &ir, const MathFunction &function,
                                llvm::ArrayRef<llvm::Value *> values, Doubles doubles) {
  llvm::Type *const type = values[0]->getType();
  llvm::Type *const computed =
      type->isDoubleTy() || (function.is_inexact && doubles == Doubles::Yes && type->isFloatTy())
          ? ir.getDoubleTy()
          : ir.getFloatTy();
  std::string mangled = fmt::format("_Z{}{}", function.name.size(), function.name);
  llvm::SmallVector<llvm::Value *, 2> wide;
  for (auto [letter, value] : llvm::zip(function.parameters, values)) {
    const bool is_float = letter == 'd';
    wide.push_back(is_float ? ir.CreateFPExt(value, computed) : value);
    mangled += !is_float ? 'i' : computed->isDoubleTy() ? 'd' : 'f';
  }
  llvm::CallInst *call = call_pure_builtin(ir, mangled, computed, wide);
  return computed == type ? call : ir.CreateFPTrunc(call, type);
}

} // namespace kiln::spirv
