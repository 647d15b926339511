// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns LLVM's fatal errors ("Cannot select"), which normally end the process, into errors of the job. Inside
// of catch_fatal_errors() LLVM's error handler throws an exception through LLVM's frames. The function
// returns the error's text, and the worker is never used again.
#pragma once

#include <kiln/result.h>

#include <llvm/Support/Error.h>

#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace kiln {

class Worker;

namespace detail {
struct LlvmFatalError {
  std::string reason;
};
/// While an object exists on this thread, fatal errors of LLVM throw LlvmFatalError. Scopes may nest.
class FatalErrorScope {
public:
  FatalErrorScope();
  ~FatalErrorScope();
  FatalErrorScope(const FatalErrorScope &) = delete;
  FatalErrorScope &operator=(const FatalErrorScope &) = delete;
};
Error fatal_error(Worker &worker, const std::string &reason); ///< poisons the worker
Error out_of_memory(Worker &worker);                          ///< poisons the worker
/// Returns the errors that LLVM reported to the worker's context, in place of a return value.
Result<void> reported_errors(Worker &worker);
} // namespace detail

/// Runs fn and returns its Result. LLVM's fatal errors, bad_alloc, and errors that LLVM reported to the
/// context become an Error.
template <class Function>
auto catch_fatal_errors(Worker &worker, Function &&fn) -> std::invoke_result_t<Function> {
  try {
    detail::FatalErrorScope scope;
    auto result = std::forward<Function>(fn)();
    KILN_CHECK(detail::reported_errors(worker));
    return result;
  } catch (const detail::LlvmFatalError &e) {
    return detail::fatal_error(worker, e.reason);
  } catch (const std::bad_alloc &) {
    return detail::out_of_memory(worker);
  }
}

/// Converts an llvm::Error. The message starts with `doing`, which names the attempted operation.
Error to_error(llvm::Error error, std::string_view doing, ErrorKind kind = ErrorKind::Internal);

} // namespace kiln
