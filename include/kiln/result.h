// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as values: Result<T> crosses every component's edge; no exception does.
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

/// A place in a source file that keeps the file alive. An empty file means "no place".
struct Location {
  std::shared_ptr<const SourceFile> file;
  uint32_t begin = 0; ///< byte offset of the first character
  uint32_t end = 0;   ///< byte offset past the last character
  explicit operator bool() const { return file != nullptr; }
  // The place of `begin`; "" and 0 without a place.
  KILN_API std::string_view file_name() const; ///< as it was loaded; ends with NUL, valid as long as `file`
  KILN_API uint32_t line() const;              ///< counted from 1
  KILN_API uint32_t column() const;            ///< counted from 1, in characters (UTF-8 code points)
};

/// One frame of a source stack, innermost first.
struct StackFrame {
  std::string function;
  Location at = {};
  /// If the text is not available, as for a bundle's kernels, `at` is empty, and these fields give the place.
  std::string file = {};
  uint32_t line = 0;
};

/// The place of a diagnostic: the innermost frame in a file of the user's, else in Kiln's library.
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

/// One fault: the problem, the place, the cure. Code that decides by a diagnostic reads `code` and the fields
/// below `hint`, never the texts.
struct KILN_API Diagnostic {
  ErrorCode code = ErrorCode::Internal;
  std::string message; ///< one sentence; further lines may follow
  Location at = {};
  std::vector<StackFrame> stack = {}; ///< the way to the place, innermost first, through inlined frames
  std::vector<Note> notes = {};
  std::string hint = {};
  /// Type of the exception that a program catches, where it is not the code's own name: "MyError".
  std::string exception = {};
  /// The name (UndefVarError), the call (MethodError) or the exception's own text (exceptions of kernels).
  std::string subject = {};
  /// The thread that threw, for exceptions of kernels.
  std::optional<KernelThread> thread = {};
  /// Number of the thrown value in its session; 0: no program threw this.
  uint64_t thrown = 0;

  /// "MethodError", "KernelError", "syntax error"; empty for warnings. Ends with NUL, lives as long as this.
  std::string_view name() const { return exception.empty() ? name_of(code) : std::string_view(exception); }
};

/// Result of a failed operation: every fault that was found, at least one.
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
  /// All diagnostics with file:line:column and caret lines, uncoloured.
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
/// UndefVarError of the name `name`.
inline Error undefined_error(std::string name, std::string message, Location at = {}, std::string hint = {}) {
  Error error = make_error(ErrorCode::UndefVarError, std::move(message), std::move(at), std::move(hint));
  error.diagnostics().front().subject = std::move(name);
  return error;
}
/// An error whose kind is given by a name that a program chose: an exception type, a language's own kind.
/// A name of the table's first hundred gets that row's code; any other is Input with the name as `exception`.
KILN_API Error named_error(std::string_view name, std::string message, Location at = {},
                           std::string hint = {});
/// Faults of Kiln's own library or caches: each becomes Internal, and its message keeps the name.
KILN_API Error as_internal(std::vector<Diagnostic> diagnostics);

/// A value or an Error. Asserts that a caller looked before it took either.
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

/// KILN_TRY(auto x, f()): x is f()'s value, or this function returns its error.
#define KILN_TRY(decl, ...)                                                                                  \
  decl = __extension__({                                                                                     \
    auto kiln_try_result = (__VA_ARGS__);                                                                    \
    if (!kiln_try_result.ok()) return kiln_try_result.take_error();                                          \
    std::move(kiln_try_result).value();                                                                      \
  })
/// KILN_CHECK(f()): this function returns f()'s error, if there is one.
#define KILN_CHECK(...)                                                                                      \
  do {                                                                                                       \
    auto kiln_check_result = (__VA_ARGS__);                                                                  \
    if (!kiln_check_result.ok()) return kiln_check_result.take_error();                                      \
  } while (false)

} // namespace kiln::inline KILN_API_VERSION
