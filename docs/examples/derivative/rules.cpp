// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rules.h"

#include <llvm/IR/Module.h>

#include <map>
#include <numbers>

namespace derivative {

using llvm::Value;

namespace {

/// A value with operators that append instructions, so that rules look like formulas.
struct Number {
  llvm::IRBuilderBase *at;
  Value *value;
  Number of(double x) const { return {at, llvm::ConstantFP::get(value->getType(), x)}; }
};
Number operator+(Number a, Number b) { return {a.at, a.at->CreateFAdd(a.value, b.value)}; }
Number operator-(Number a, Number b) { return {a.at, a.at->CreateFSub(a.value, b.value)}; }
Number operator*(Number a, Number b) { return {a.at, a.at->CreateFMul(a.value, b.value)}; }
Number operator/(Number a, Number b) { return {a.at, a.at->CreateFDiv(a.value, b.value)}; }
Number operator-(Number a) { return {a.at, a.at->CreateFNeg(a.value)}; }
Number operator+(double a, Number b) { return b.of(a) + b; }
Number operator-(double a, Number b) { return b.of(a) - b; }
Number operator-(Number a, double b) { return a - a.of(b); }
Number operator*(double a, Number b) { return b.of(a) * b; }
Number operator/(double a, Number b) { return b.of(a) / b; }

/// A call of a mathematical function y = f(x0, x1, ...).
struct Call {
  llvm::IRBuilderBase &at;
  llvm::CallInst &call;
  Number y() const { return {&at, &call}; }
  Number x(unsigned i = 0) const { return {&at, call.getArgOperand(i)}; }

  /// Calls another function of the same library: cosf for sinf, __nv_cosf for __nv_sinf.
  Number kin(const std::string &name, llvm::ArrayRef<Number> arguments) const {
    const llvm::StringRef own = call.getCalledFunction()->getName();
    llvm::Type *type = call.getType();
    const std::string f = type->isFloatTy() ? "f" : "";
    if (own.starts_with("__nv_")) return function("__nv_" + name + f, arguments);
    return own.starts_with("llvm.") ? llvm_function(name, arguments) : function(name + f, arguments);
  }
  /// Calls an LLVM intrinsic that every target supports: fabs, copysign.
  Number llvm_function(const std::string &name, llvm::ArrayRef<Number> arguments) const {
    const char *suffix = call.getType()->isFloatTy() ? ".f32" : ".f64";
    return function("llvm." + name + suffix, arguments);
  }
  Number choose(Value *condition, Number a, Number b) const {
    return {&at, at.CreateSelect(condition, a.value, b.value)};
  }

private:
  Number function(const std::string &name, llvm::ArrayRef<Number> arguments) const {
    std::vector<Value *> values;
    std::vector<llvm::Type *> types(arguments.size(), call.getType());
    for (const Number &argument : arguments) values.push_back(argument.value);
    auto *type = llvm::FunctionType::get(call.getType(), types, false);
    return {&at, at.CreateCall(call.getModule()->getOrInsertFunction(name, type), values)};
  }
};

constexpr double ln2 = std::numbers::ln2, ln10 = std::numbers::ln10;

/// The partial derivative of a call by argument i; an empty value is zero.
using Partial = Number (*)(const Call &, unsigned i);

Number zero(const Call &, unsigned) { return {}; }
/// 1 for the argument that fmax or fmin returned, and 0 for the other.
Number chosen(const Call &c, unsigned i) {
  Value *is_first = c.at.CreateFCmpOEQ(c.y().value, c.x(0).value);
  return c.choose(is_first, c.y().of(i == 0), c.y().of(i == 1));
}
Number power(const Call &c, unsigned i) {
  return i == 0 ? c.x(1) * c.kin("pow", {c.x(0), c.x(1) - 1}) : c.y() * c.kin("log", {c.x(0)});
}
Number power_of_integer(const Call &c, unsigned) { // an integer exponent has no tangent
  Value *n = c.call.getArgOperand(1);
  Value *less = c.at.CreateSub(n, llvm::ConstantInt::get(n->getType(), 1));
  Number lower = {&c.at, c.at.CreateCall(c.call.getCalledFunction(), {c.x().value, less})};
  return Number{&c.at, c.at.CreateSIToFP(n, c.call.getType())} * lower;
}
Number product_and_sum(const Call &c, unsigned i) { return i < 2 ? c.x(1 - i) : c.y().of(1); }

const std::map<std::string, Partial> partials = {
    {"sin", [](const Call &c, unsigned) { return c.kin("cos", {c.x()}); }},
    {"cos", [](const Call &c, unsigned) { return -c.kin("sin", {c.x()}); }},
    {"tan", [](const Call &c, unsigned) { return 1 + c.y() * c.y(); }},
    {"asin", [](const Call &c, unsigned) { return 1 / c.llvm_function("sqrt", {1 - c.x() * c.x()}); }},
    {"acos", [](const Call &c, unsigned) { return -1 / c.llvm_function("sqrt", {1 - c.x() * c.x()}); }},
    {"atan", [](const Call &c, unsigned) { return 1 / (1 + c.x() * c.x()); }},
    {"sinh", [](const Call &c, unsigned) { return c.kin("cosh", {c.x()}); }},
    {"cosh", [](const Call &c, unsigned) { return c.kin("sinh", {c.x()}); }},
    {"tanh", [](const Call &c, unsigned) { return 1 - c.y() * c.y(); }},
    {"exp", [](const Call &c, unsigned) { return c.y(); }},
    {"exp2", [](const Call &c, unsigned) { return ln2 * c.y(); }},
    {"exp10", [](const Call &c, unsigned) { return ln10 * c.y(); }},
    {"expm1", [](const Call &c, unsigned) { return 1 + c.y(); }},
    {"log", [](const Call &c, unsigned) { return 1 / c.x(); }},
    {"log2", [](const Call &c, unsigned) { return 1 / (ln2 * c.x()); }},
    {"log10", [](const Call &c, unsigned) { return 1 / (ln10 * c.x()); }},
    {"log1p", [](const Call &c, unsigned) { return 1 / (1 + c.x()); }},
    {"sqrt", [](const Call &c, unsigned) { return 0.5 / c.y(); }},
    {"cbrt", [](const Call &c, unsigned) { return c.y() / (3 * c.x()); }},
    {"fabs", [](const Call &c, unsigned) { return c.llvm_function("copysign", {c.y().of(1), c.x()}); }},
    {"copysign",
     [](const Call &c, unsigned i) {
       return i == 0 ? c.llvm_function("copysign", {c.y().of(1), c.x()}) *
                           c.llvm_function("copysign", {c.y().of(1), c.x(1)})
                     : Number();
     }},
    {"hypot", [](const Call &c, unsigned i) { return c.x(i) / c.y(); }},
    {"atan2",
     [](const Call &c, unsigned i) {
       Number square = c.x(0) * c.x(0) + c.x(1) * c.x(1);
       return i == 0 ? c.x(1) / square : -c.x(0) / square;
     }},
    {"pow", power},
    {"powi", power_of_integer},
    {"fma", product_and_sum},
    {"fmuladd", product_and_sum},
    {"maxnum", chosen},
    {"minnum", chosen},
    {"maximum", chosen},
    {"minimum", chosen},
    {"fmax", chosen},
    {"fmin", chosen},
    {"floor", zero},
    {"ceil", zero},
    {"trunc", zero},
    {"rint", zero},
    {"nearbyint", zero},
    {"round", zero},
    {"roundeven", zero},
};

} // namespace

std::string math_name(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  if (name.consume_front("llvm.")) return name.split('.').first.str();
  const bool is_device = name.consume_front("__nv_");
  name = name.split('.').first; // the linker's number of a second copy
  const bool is_single = function.getReturnType()->isFloatTy();
  if (is_single && name.ends_with("f") && (is_device || function.isDeclaration())) name = name.drop_back();
  return name.str();
}

bool has_rule(const llvm::Function &function) {
  const bool is_math = function.isDeclaration() || function.getName().starts_with("__nv_");
  const llvm::Type *type = function.getReturnType();
  return is_math && (type->isFloatTy() || type->isDoubleTy()) && partials.contains(math_name(function));
}

Value *math_tangent(llvm::IRBuilderBase &at, llvm::CallInst &call, llvm::ArrayRef<Value *> tangents) {
  const Partial partial = partials.at(math_name(*call.getCalledFunction()));
  Value *sum = nullptr;
  for (unsigned i = 0; i < tangents.size(); i++) {
    if (!tangents[i]) continue;
    const Number by_i = partial({at, call}, i);
    if (!by_i.value) continue;
    Value *part = at.CreateFMul(by_i.value, tangents[i]);
    sum = sum ? at.CreateFAdd(sum, part) : part;
  }
  return sum;
}

} // namespace derivative
