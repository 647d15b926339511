// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages for calls that no method matches: they list the nearest methods and remedies.
#include "inference.h"

namespace kiln {

namespace {

constexpr size_t max_candidates = 3; ///< in a method error

// Hint for a kernel that calls a function which only the host has.
std::string hint_about(TypeContext &types, TypeRef callee) {
  const DataType *function = callee->as<DataType>();
  if (function && function->name().is_type) { // a constructor
    std::vector<const TypeVar *> vars;
    TypeRef made = nullptr;
    types.unwrap_all(function->params()[0], vars, made);
    const DataType *data = made->as<DataType>();
    if (!data) return {};
    const bool is_array = &data->name() == types.builtins().ArrayName;
    return std::string(host_function_hint(is_array ? "zeros" : data->name().name.text()));
  }
  if (!function || !function->name().is_function) return {};
  return std::string(host_function_hint(function->name().function_name.text()));
}

} // namespace

std::string cure_of_atomic(TypeContext &types, TypeRef pointer) {
  const DataType *data = pointer ? pointer->as<DataType>() : nullptr;
  if (!data || &data->name() != types.builtins().LLVMPtrName || data->params().empty()) return {};
  const DataType *pointee = data->params()[0]->as<DataType>();
  if (!pointee || pointee->name().name.text() != "Complex" || pointee->params().empty()) return {};
  return fmt::format(
      "update the two parts one by one: r = reinterpret({}, a), then @atomic r[2i - 1] += real(x) and "
      "@atomic r[2i] += imag(x); another thread may read between the two",
      spell(pointee->params()[0]));
}

InferenceFault Inference::method_error(TypeRef arguments, const MethodMatch &match) {
  auto params = arguments->as<DataType>()->params();
  auto describe = [&](const Method &method) {
    return fmt::format("{} at {}", spell_signature(method.signature), world_.sources().describe(method.at));
  };
  if (!match.ambiguous.empty()) {
    InferenceFault fault{ErrorCode::MethodError,
                         fmt::format("{} is ambiguous", spell_call(params)),
                         "define a method for the intersection of the candidates",
                         {},
                         call_to_string(params)};
    for (const Method *method : match.ambiguous) fault.notes.push_back("candidate: " + describe(*method));
    return fault;
  }
  InferenceFault fault{ErrorCode::MethodError,
                       fmt::format("no method matching {}", spell_call(params)),
                       hint_about(types_, params[0]),
                       {},
                       call_to_string(params)};
  // An internal function of the library failed. `subject` lets validation name the library function that the
  // program called (lib/rewrite/check_ir.cpp).
  if (const DataType *callee = params[0]->as<DataType>();
      callee && callee->name().is_function && callee->name().function_name.text().starts_with("__") &&
      (callee->name().module.starts_with("Base") || callee->name().module.starts_with("CUDA"))) {
    fault.subject = fmt::format("{}.{}", callee->name().module, spell_call(params));
    fault.message = "no method matching " + fault.subject;
  }
  if (params.size() > 1 && fault.hint.empty() && call_to_string(params).starts_with("atomic_"))
    fault.hint = cure_of_atomic(types_, params[1]);
  if (const DataType *callee = params[0]->as<DataType>(); callee && callee->name().is_function)
    for (std::string &why : world_.missing_of(callee->name().module, callee->name().function_name))
      fault.notes.push_back(std::move(why));
  auto methods = world_.methods_of(params[0], table_.facts.overlay, age_);
  if (methods.empty()) {
    const DataType *callee = params[0]->as<DataType>();
    if (callee && !callee->name().is_function && !callee->name().is_type)
      fault.message = fmt::format("objects of type {} are not callable", spell(params[0]));
    return fault;
  }
  // Sort methods by the number of arguments, then by the number of matching arguments. Ties keep the order of
  // definition.
  std::vector<std::pair<int, const Method *>> ranked;
  for (const Method *method : methods) {
    std::vector<const TypeVar *> vars;
    TypeRef body = nullptr;
    types_.unwrap_all(method->signature, vars, body);
    std::vector<TypeRef> bounds;
    for (const TypeVar *var : vars) bounds.push_back(var->upper());
    auto formals = body->as<DataType>()->params();
    // `is_open` is true for a final Vararg{T} of any length. Vararg{T, 3} has already become T, T, T.
    const bool is_open = !formals.empty() && formals.back()->is<VarargType>();
    bool takes_count = is_open ? params.size() + 1 >= formals.size() : params.size() == formals.size();
    int score = takes_count ? 2 * int(params.size()) : 0;
    for (size_t i = 1; i < std::min(formals.size(), params.size()); i++)
      if (!formals[i]->is<VarargType>() &&
          may_intersect(types_, params[i], types_.substitute(formals[i], vars, bounds)))
        score += 2;
    ranked.push_back({score, method});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; });
  for (size_t i = 0; i < std::min(ranked.size(), max_candidates); i++)
    fault.notes.push_back("closest candidate: " + describe(*ranked[i].second));
  if (ranked.size() > max_candidates)
    fault.notes.push_back(fmt::format("{} more methods are farther off", ranked.size() - max_candidates));
  const DataType *callee = params[0]->as<DataType>();
  const bool is_base = callee && callee->name().is_function && callee->name().module == "Base";
  for (TypeRef param : params) {
    const DataType *data = param->as<DataType>();
    if (!data || !fault.hint.empty()) continue;
    if (&data->name() == types_.builtins().ArrayName)
      fault.hint =
          "an Array is memory of the host: pass it as an argument, or make a table of constants a tuple, const T = (a, b)";
    else if (is_base && data->name().name.text() == "CuDeviceArray")
      fault.hint =
          "compute with the elements of an array in loops; functions of whole arrays run on the host";
  }
  return fault;
}

} // namespace kiln
