// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend.h"

#include <fmt/format.h>
#include <kiln/extension/language/print.h>

namespace kiln {

Frontend::~Frontend() = default;

Result<ResolvedCall> Frontend::resolve_launch(World &world, Module &in, std::string_view function,
                                              std::span<const std::string_view> types) {
  std::string text(function);
  text += '(';
  for (std::string_view type : types) (text += text.ends_with('(') ? "" : ", ") += type;
  return resolve_call(world, in, "job", text + ")");
}

Result<Value> Frontend::run(World &, Module &, std::shared_ptr<const SourceFile>, const Run &) {
  return usage_error(fmt::format("the language {} runs no programs", name()));
}

Result<Value> Frontend::argument_value(World &, const Value &value) { return value; }

std::shared_ptr<const Printer> Frontend::printer() const { return nullptr; }

std::string Frontend::call_text(TypeRef tuple) const {
  const auto params = tuple->as<DataType>()->params();
  std::string function = to_string(params[0]);
  if (function.starts_with("typeof(") && function.ends_with(')'))
    function = function.substr(7, function.size() - 8);
  std::string arguments;
  for (TypeRef type : params.subspan(1)) arguments += (arguments.empty() ? "" : ", ") + to_string(type);
  return function + "(" + arguments + ")";
}

} // namespace kiln
