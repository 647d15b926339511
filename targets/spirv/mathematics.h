// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL's built-in mathematical functions.
#pragma once

#include "features.h"

#include <kiln/job.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace kiln::spirv {

/// A function of OpenCL. Those of C's library have the same names there.
struct MathFunction {
  std::string_view name;
  std::string_view parameters; ///< "d": a float; "i": an i32
  /// On Intel's CPU device, the function for floats of 32 bits is off by more than 1 ulp
  /// (docs/measurements/opencl.md).
  bool is_inexact = false;
};
const MathFunction *find_math_function(llvm::StringRef name); ///< null: there is none

/// Use of OpenCL's functions of doubles for floats of 32 bits, where those for floats are inexact.
enum class Doubles : bool { No, Yes };
/// Yes, if the job is for a device that has doubles, and does not ask for fast mathematics. Code for any
/// device (without a list of features) must not need doubles.
Doubles doubles_for(const CompilerConfig &config, const Features &features);

/// Calls the built-in function. `values` are of one float type. Floats of 16 bits are computed as floats of
/// 32 bits.
llvm::Value *call_math_function(llvm::IRBuilder<> &ir, const MathFunction &function,
                                llvm::ArrayRef<llvm::Value *> values, Doubles doubles);

} // namespace kiln::spirv
