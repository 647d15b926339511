// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as values: functions return Result<T>. No exception leaves a component.
#pragma once

#include <kiln/error_code.h>
#include <kiln/export.h>

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kiln {
class SourceFile;
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// A source place. It keeps the text of its file in memory. A null `file` means "no place".
struct Location {
  std::shared_ptr<const SourceFile> file;
  uint32_t begin = 0; ///< byte offset of the first character
  uint32_t end = 0;   ///< byte offset past the last character
  explicit operator bool() const { return file != nullptr; }
  // Name, line and column of `begin`; "" and 0 without a place.
  /// Name under which the file was loaded; ends with NUL, valid as long as `file`.
  KILN_API std::string_view file_name() const;
  KILN_API uint32_t line() const;   ///< counted from 1
  KILN_API uint32_t column() const; ///< counted from 1, in characters (UTF-8 code points)
};

/// One frame of a source stack. Stacks list the innermost frame first.
struct StackFrame {
  std::string function;
  Location at = {};
  /// File name and line, set if the source text is not available and `at` is therefore empty: for kernels of
  /// a bundle.
  std::string file = {};
  uint32_t line = 0;
};

/// Returns the place for a diagnostic: the innermost frame in a user's file, else in Kiln's library.
KILN_API Location place_of(const std::vector<StackFrame> &stack);

struct Note {
  std::string text;
  Location at = {};
};

/// Thread and block of a kernel, counted from 0.
struct KernelThread {
  std::array<uint32_t, 3> thread;
  std::array<uint32_t, 3> block;
};

/// One fault: what is wrong, where, and what to do. Code that reacts to a diagnostic should read `code` and
/// the fields declared after `hint`; the texts may change.
struct KILN_API Diagnostic {
  ErrorCode code = ErrorCode::Internal;
  std::string message; ///< one sentence; further lines may follow
  Location at = {};
  std::vector<StackFrame> stack = {}; ///< call stack at the place, innermost first, inlined calls included
  std::vector<Note> notes = {};
  std::string hint = {};
  /// Type of the exception that a program can catch, if it differs from the code's name: "MyError".
  std::string exception = {};
  /// Detail by kind: the undefined name (UndefVarError), the call (MethodError), or the exception's text
  /// (exceptions of kernels).
  std::string subject = {};
  /// Thread that threw an exception in a kernel; not set for other diagnostics.
  std::optional<KernelThread> thread = {};
  /// Number of the value that a program threw, unique in its session; 0: no program threw it.
  uint64_t thrown = 0;

  /// Returns the name of the kind: "MethodError", "KernelError", "syntax error"; empty for warnings. Ends
  /// with NUL, valid as long as the diagnostic.
  std::string_view name() const { return exception.empty() ? name_of(code) : std::string_view(exception); }
};

/// Error of a failed operation: one diagnostic for each fault found, at least one.
class [[nodiscard]] KILN_API Error {
public:
  Error(Diagnostic diagnostic) { diagnostics_.push_back(std::move(diagnostic)); }
  Error(std::vector<Diagnostic> diagnostics) : diagnostics_(std::move(diagnostics)) {
    if (diagnostics_.empty()) diagnostics_.push_back({.message = "an error without a diagnostic"});
  }
  Error(ErrorCode code, std::string message)
      : Error(Diagnostic{.code = code, .message = std::move(message)}) {}

  /// Kind of the first diagnostic.
  ErrorKind kind() const { return kind_of(code()); }
  /// Code of the first diagnostic.
  ErrorCode code() const { return diagnostics_.front().code; }
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> &diagnostics() { return diagnostics_; }
  /// Formats all diagnostics with file:line:column and caret lines, without colours.
  std::string what() const;

private:
  std::vector<Diagnostic> diagnostics_;
};

inline Error make_error(ErrorCode code, std::string message, Location at = {}, std::string hint = {}) {
  return Diagnostic{code, std::move(message), std::move(at), {}, {}, std::move(hint)};
}
inline Error input_error(std::string message, Location at = {}, std::string hint = {}) {
  return make_error(ErrorCode::Input, std::move(message), std::move(at), std::move(hint));
}
inline Error usage_error(std::string message) { return {ErrorCode::Usage, std::move(message)}; }
inline Error machine_error(std::string message, std::string hint = {}) {
  return make_error(ErrorCode::Machine, std::move(message), {}, std::move(hint));
}
inline Error internal_error(std::string message) { return {ErrorCode::Internal, std::move(message)}; }
/// Makes an UndefVarError for the undefined name `name`.
inline Error undefined_error(std::string name, std::string message, Location at = {}, std::string hint = {}) {
  Error error = make_error(ErrorCode::UndefVarError, std::move(message), std::move(at), std::move(hint));
  error.diagnostics().front().subject = std::move(name);
  return error;
}
/// Makes an error of a kind that a program names, such as an exception type. The name of an Input row of
/// kiln/faults.def gets that row's code. Any other name gets code Input, with the name in
/// Diagnostic::exception.
KILN_API Error named_error(std::string_view name, std::string message, Location at = {},
                           std::string hint = {});
/// Turns diagnostics about Kiln's own library or caches into Internal errors; each message keeps the name of
/// the original kind.
KILN_API Error as_internal(std::vector<Diagnostic> diagnostics);

/// Holds a value or an Error. Taking the wrong one of the two is an assertion failure; test ok() first.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::make_unique<Error>(std::move(error))) {}
  template <class U>
    requires(std::is_convertible_v<U &&, T> && !std::is_same_v<std::decay_t<U>, T> &&
             !std::is_same_v<std::decay_t<U>, Error> && !std::is_same_v<std::decay_t<U>, Result>)
  Result(U &&value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T &value() & {
    assert(ok());
    return std::get<0>(state_);
  }
  const T &value() const & {
    assert(ok());
    return std::get<0>(state_);
  }
  T &&value() && {
    assert(ok());
    return std::get<0>(std::move(state_));
  }
  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(*this).value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }
  const Error &error() const & {
    assert(!ok());
    return *std::get<1>(state_);
  }
  Error take_error() {
    assert(!ok());
    return std::move(*std::get<1>(state_));
  }

private:
  std::variant<T, std::unique_ptr<Error>> state_;
};

template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}
  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error &error() const & {
    assert(!ok());
    return *error_;
  }
  Error take_error() {
    assert(!ok());
    return std::move(*error_);
  }

private:
  std::unique_ptr<Error> error_;
};

/// KILN_TRY(auto x, f()): declares x with f()'s value; if f() fails, the enclosing function returns f()'s
/// error.
#define KILN_TRY(decl, ...)                                                                                  \
  decl = __extension__({                                                                                     \
    auto kiln_try_result = (__VA_ARGS__);                                                                    \
    if (!kiln_try_result.ok()) return kiln_try_result.take_error();                                          \
    std::move(kiln_try_result).value();                                                                      \
  })
/// KILN_CHECK(f()): if f() fails, the enclosing function returns f()'s error.
#define KILN_CHECK(...)                                                                                      \
  do {                                                                                                       \
    auto kiln_check_result = (__VA_ARGS__);                                                                  \
    if (!kiln_check_result.ok()) return kiln_check_result.take_error();                                      \
  } while (false)

} // namespace kiln::inline KILN_API_VERSION
