// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements Session::define_host_function: defines a method whose body is a foreign call of the C function.
// The call's symbol, and so the cache key, contains the function's name and signature. Loaded code reads the
// C function's address from a variable.
#include "c_values.h"

#include <session/session_state.h>

#include <abi/abi.h>
#include <support/exceptions.h>
#include <support/stack.h>
#include <support/support.h>

namespace kiln {

std::shared_ptr<HostFunctions> make_host_functions(const SessionOptions &options, const Log &log) {
  HostFunctions::Find find;
  if (options.find_symbol)
    find = [&log, find = options.find_symbol](const std::string &name) {
      // Refuses calls of the session, since the code loader holds the session's locks.
      const CallbackScope scope(&log);
      return call_embedder("SessionOptions::find_symbol", [&]() -> Result<void *> { return find(name); });
    };
  return std::make_shared<HostFunctions>(options.symbols, std::move(find));
}

namespace {

/// Formats text as a string literal of the language.
std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\x1f') {
      out += "\\x1f";
      continue;
    }
    if (c == '"' || c == '\\' || c == '$') out += '\\';
    out += c;
  }
  return out + '"';
}

/// Checks an entry of HostSignature::raises: an exception's kind, or "kind: text". Error: Input.
Result<void> check_exception(const std::string &function, const std::string &text) {
  const std::string_view kind = std::string_view(text).substr(0, text.find(": "));
  const abi::ExceptionKind known = abi::exception_kind(kind);
  if (known == abi::ExceptionKind::Unknown)
    return input_error(
        fmt::format("`{}` cannot raise `{}`: there is no exception of that name", function, kind), {},
        "kiln/host_function.h lists the exceptions: \"DomainError\", \"ErrorException: a text\"");
  for (char c : text)
    if (static_cast<unsigned char>(c) < 0x20)
      return input_error(fmt::format("an exception of `{}` has a control character in its text", function));
  return {};
}

/// A signature with resolved types.
struct KnownSignature {
  std::string arguments; ///< "(Float64, Int32)"
  std::string result;
};

class SignatureReader {
public:
  SignatureReader(Definitions &definitions, const std::string &function, const HostSignature &signature)
      : definitions_(definitions), function_(function), signature_(signature) {}

  Result<KnownSignature> read() {
    KnownSignature known{.arguments = "(", .result = {}};
    for (size_t i = 0; i < signature_.arguments.size(); ++i) {
      const std::string what = fmt::format("argument {} of `{}`", i + 1, function_);
      KILN_TRY(TypeRef type, definitions_.read_type(what, signature_.arguments[i]));
      if (!c_value(definitions_.types(), type)) return no_c_type(what, type, "pass a pointer to it");
      known.arguments += (i ? ", " : "") + to_string(type);
    }
    known.arguments += ")";
    const std::string what = fmt::format("the result of `{}`", function_);
    KILN_TRY(TypeRef type, definitions_.read_type(what, signature_.returns));
    if (signature_.raises.empty() ? !is_c_result(definitions_.types(), type)
                                  : !layout_of(definitions_.types(), type))
      return no_c_type(what, type, "give the signature `raises`, so that the result goes through a pointer");
    known.result = to_string(type);
    for (const std::string &exception : signature_.raises) KILN_CHECK(check_exception(function_, exception));
    return known;
  }

private:
  static Error no_c_type(const std::string &what, TypeRef type, std::string hint) {
    return make_error(ErrorCode::TypeError,
                      fmt::format("{}: C code cannot take or return a {} by value", what, spell(type)), {},
                      std::move(hint));
  }
  Definitions &definitions_;
  const std::string &function_;
  const HostSignature &signature_;
};

std::string host_method_text(const std::string &function, const HostSignature &signature,
                             const std::string &symbol) {
  std::string parameters, values, types;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    parameters += fmt::format("{}a{}::({})", i ? ", " : "", i + 1, signature.arguments[i]);
    values += fmt::format(", a{}", i + 1);
    types += signature.arguments[i] + ", ";
  }
  return fmt::format("@inline {}({}) = Core.Intrinsics.foreign_call(Symbol({}), {}, Tuple{{{}}}{})\n",
                     function, parameters, string_literal(symbol), signature.returns, types, values);
}

} // namespace

Result<void> JobService::define_host_function(const std::string &name, const HostSignature &signature,
                                              void *address) {
  if (!is_function_name(name)) return usage_error("`" + name + "` is no name of a function");
  if (!address) return usage_error(fmt::format("the address of the host function `{}` is null", name));
  KILN_TRY(const KnownSignature known, SignatureReader(definitions_, name, signature).read());
  std::string by_status = fmt::format("{}::{}", known.arguments, known.result);
  // C functions with and without a status get different symbols.
  if (!signature.raises.empty()) by_status += "!";
  std::string symbol = std::string(abi::HostFunctionPrefix) + name + by_status;
  for (const std::string &exception : signature.raises) symbol += '\x1f' + exception;

  // Set the address before anybody can call the method.
  host_functions_->define(name, by_status, address);
  const std::string method = name + known.arguments;
  {
    std::lock_guard lock(host_mutex_);
    if (host_methods_[method] == symbol) return {};
  }
  // The mutex is not held here, because load() calls Job::on_stale listeners, which may define host functions
  // too.
  KILN_TRY(LoadSummary loaded, definitions_.load(name + ".host.jl", host_method_text(name, signature, symbol),
                                                 {}, "Session::define_host_function"));
  if (loaded.methods != 1) return internal_error("the method of a host function was not defined");
  std::lock_guard lock(host_mutex_);
  host_methods_[method] = symbol;
  return {};
}

Result<void> Session::define_host_function(const std::string &name, const HostSignature &signature,
                                           void *address) {
  const ComputingCall scope(state_->gate);
  KILN_CHECK(scope.check());
  return state_->jobs.define_host_function(name, signature, address);
}

} // namespace kiln
