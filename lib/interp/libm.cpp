// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C mathematical library, for the interpreter and for constants.
#include "fold.h"
#include "state.h"

#include <kiln/abi.h>

#include <bit>
#include <cmath>

namespace kiln {

// Calls a libm function on constants. Foreign functions other than libm's exist only in compiled code.
Result<Value> call_libm(TypeContext &types, std::span<const Value> args, bool as_compiled) {
  if (auto folded = fold_string_function(types, args)) return std::move(*folded);
  Symbol symbol = args[0].as_symbol();
  std::string name(symbol ? symbol.text() : std::string_view());
  if (name.starts_with("extern ")) name = name.substr(7);
  if (name.starts_with(abi::HostFunctionPrefix))
    return input_error(
        fmt::format(
            "the host function `{}` is called by code that is evaluated: compiled code alone calls them",
            name.substr(abi::HostFunctionPrefix.size())),
        {}, "call it in a kernel or a function that is compiled");
  const auto &b = types.builtins();
  bool is_float = args.size() > 3 && args[3].type() == b.Float32;
  if (name == (is_float ? "ldexpf" : "ldexp") && args.size() == 5 && args[4].type() == b.Int32) {
    const int exponent = int(int32_t(args[4].low_bits()));
    return is_float ? types.float32(std::ldexp(std::bit_cast<float>(uint32_t(args[3].low_bits())), exponent))
                    : types.float64(std::ldexp(std::bit_cast<double>(args[3].low_bits()), exponent));
  }
  for (const Value &v : args.subspan(3))
    if (v.type() != (is_float ? b.Float32 : b.Float64))
      return input_error(fmt::format("foreign function `{}` cannot be called here", name));
  auto operand = [&](size_t i) {
    return is_float ? double(std::bit_cast<float>(uint32_t(args[3 + i].low_bits())))
                    : std::bit_cast<double>(args[3 + i].low_bits());
  };
  if (name.starts_with("llvm.")) { // llvm.sin.f32 -> sin
    name = name.substr(5);
    name = name.substr(0, name.rfind('.'));
  } else if (is_float && name.ends_with('f') && name != "erf") {
    name.pop_back();
  }
  using Unary = double (*)(double);
  using Binary = double (*)(double, double);
  // For Float32, compiled code calls sinf, and the interpreter does so too if `as_compiled`. Otherwise the
  // result is the float nearest to that of the double function.
  struct UnaryFunctions {
    std::string_view name;
    Unary of_double;
    float (*of_float)(float);
  };
  static const UnaryFunctions unary[] = {{"sin", std::sin, std::sin},
                                         {"cos", std::cos, std::cos},
                                         {"tan", std::tan, std::tan},
                                         {"asin", std::asin, std::asin},
                                         {"acos", std::acos, std::acos},
                                         {"atan", std::atan, std::atan},
                                         {"sinh", std::sinh, std::sinh},
                                         {"cosh", std::cosh, std::cosh},
                                         {"tanh", std::tanh, std::tanh},
                                         {"asinh", std::asinh, std::asinh},
                                         {"acosh", std::acosh, std::acosh},
                                         {"atanh", std::atanh, std::atanh},
                                         {"exp", std::exp, std::exp},
                                         {"exp2", std::exp2, std::exp2},
                                         {"expm1", std::expm1, std::expm1},
                                         {"log", std::log, std::log},
                                         {"log2", std::log2, std::log2},
                                         {"log10", std::log10, std::log10},
                                         {"log1p", std::log1p, std::log1p},
                                         {"cbrt", std::cbrt, std::cbrt},
                                         {"erf", std::erf, std::erf},
                                         {"erfc", std::erfc, std::erfc},
                                         {"tgamma", std::tgamma, std::tgamma},
                                         {"sqrt", std::sqrt, std::sqrt},
                                         {"exp10", ::exp10, ::exp10f},
                                         {"lgamma", std::lgamma, std::lgamma},
                                         {"j0", ::j0, ::j0f},
                                         {"j1", ::j1, ::j1f},
                                         {"y0", ::y0, ::y0f},
                                         {"y1", ::y1, ::y1f}};
  static const std::pair<std::string_view, Binary> binary[] = {
      {"pow", std::pow}, {"atan2", std::atan2}, {"hypot", std::hypot}, {"fmod", std::fmod}};
  auto make = [&](double v) { return is_float ? types.float32(float(v)) : types.float64(v); };
  for (const UnaryFunctions &f : unary)
    if (name == f.name && args.size() == 4)
      return is_float && as_compiled ? types.float32(f.of_float(float(operand(0))))
                                     : make(f.of_double(operand(0)));
  for (auto [known, f] : binary)
    if (name == known && args.size() == 5) return make(f(operand(0), operand(1)));
  return input_error(fmt::format("foreign function `{}` cannot be called here", symbol.text()), {},
                     "it exists in compiled code only");
}

} // namespace kiln
