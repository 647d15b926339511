// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements Session::define_ir: defines a method that calls the IR function, whose body the pipeline links
// later. Functions of the language that the IR calls are recorded as callees of that call, so that inference
// and cache keys include them.
#include <session/session_state.h>

#include <support/stack.h>

#include <algorithm>

namespace kiln {

bool is_function_name(std::string_view text) {
  auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '!' || (c >= '0' && c <= '9');
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_word) &&
         !(text[0] >= '0' && text[0] <= '9') && text[0] != '!';
}

namespace {

/// Returns the text of the method that calls the IR function. Its parameters are a1, a2 ...
std::string method_text(const IrFunctions::Source &source) {
  const IrFunction &function = source.function;
  std::string parameters, values, types, callees;
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    const std::string name = "a" + std::to_string(i + 1);
    parameters += (i ? ", " : "") + name + "::(" + function.arguments[i] + ")";
    values += ", " + name;
    types += function.arguments[i] + ", ";
  }
  for (const std::string &callee : source.callees) {
    const std::string call = call_of_ir_name(callee);
    const size_t open = call.find('(');
    const std::string arguments = call.substr(open + 1, call.size() - open - 2);
    const bool has_arguments = arguments.find_first_not_of(' ') != std::string::npos;
    callees += ", Core.Intrinsics.deferred_codegen(" + call.substr(0, open) +
               (has_arguments ? ", " + arguments : "") + ")";
    types += "Ptr{Nothing}, ";
  }
  return "@inline " + function.name + "(" + parameters + ") = Core.Intrinsics.foreign_call(Symbol(\"" +
         source.name + "\"), " + function.returns + ", Tuple{" + types + "}" + values + callees + ")\n";
}

} // namespace

Result<void> JobService::define_ir(const IrFunction &function) {
  if (!is_function_name(function.name))
    return usage_error("`" + function.name + "` is no name of a function");
  for (size_t i = 0; i < function.arguments.size(); ++i)
    KILN_CHECK(definitions_.read_type("argument " + std::to_string(i + 1) + " of " + function.name,
                                      function.arguments[i]));
  KILN_CHECK(definitions_.read_type("what " + function.name + " returns", function.returns));
  KILN_TRY(auto source, ir_.add(*workers_, definitions_.sources(), function));
  KILN_TRY(LoadSummary loaded,
           definitions_.load(source->function.file + ".jl", method_text(*source), {}, "Session::define_ir"));
  if (loaded.methods != 1) return internal_error("the method of an IR function was not defined");
  return {};
}

Result<void> Session::define_ir(const IrFunction &function) {
  const ComputingCall scope(state_->gate);
  KILN_CHECK(scope.check());
  return state_->jobs.define_ir(function);
}

} // namespace kiln
