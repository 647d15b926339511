// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp.h"
#include "state.h"

namespace kiln {

Result<Value> Interpreter::invoke(const Value &function, const Value &named, std::span<const Value> args) {
  State &s = *state_;
  TypeContext &types = s.world.types();
  KILN_CHECK(check_depth());
  const DataType *tuple = named.as_type() ? named.as_type()->as<DataType>() : nullptr;
  if (!tuple || !tuple->is_tuple())
    return input_error("TypeError", fmt::format("invoke takes a Tuple type as its second argument, not {}",
                                                to_string(named)));
  std::vector<TypeRef> given, wanted{types.type_of(function)}, actual = wanted;
  for (const Value &arg : args) given.push_back(types.type_of(arg));
  if (!is_subtype(types, types.tuple(given), tuple))
    return input_error("TypeError", fmt::format("invoke: arguments of the types {} are not of {}",
                                                to_string(types.tuple(given)), to_string(tuple)));
  wanted.insert(wanted.end(), tuple->params().begin(), tuple->params().end());
  actual.insert(actual.end(), given.begin(), given.end());
  KILN_TRY(MethodMatch match, s.world.lookup_method(types.tuple(wanted), s.world.age(), Symbol()));
  std::optional<std::vector<TypeRef>> parameters;
  if (match.method) parameters = match_signature(types, types.tuple(actual), match.method->signature);
  if (!parameters)
    return input_error("MethodError", fmt::format("no method matching {}", call_to_string(wanted)));
  match.static_params = std::move(*parameters); // of the values, where the types named would leave them open
  ++s.depth;
  auto result = run_method(function, std::move(match), args);
  --s.depth;
  return result;
}

} // namespace kiln
