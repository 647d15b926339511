// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fatal_errors.h"

#include <kiln/extension/language/internal/hint.h>

#include "worker.h"

#include <llvm/Support/ErrorHandling.h>

#include <mutex>

namespace kiln {
namespace {

/// Number of active FatalErrorScopes on this thread. LLVM has one error handler per process, which looks
/// here.
thread_local int scopes_of_this_thread = 0;

void on_fatal_error(void *, const char *reason, bool) {
  if (scopes_of_this_thread > 0) throw detail::LlvmFatalError{reason ? reason : "no reason given"};
  // Outside of catch_fatal_errors(): print the error, and return to LLVM, which aborts.
  llvm::errs() << "LLVM ERROR: " << (reason ? reason : "") << "\n";
}

void on_bad_alloc(void *, const char *, bool) {
  if (scopes_of_this_thread > 0) throw std::bad_alloc();
}

void install_handlers_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(on_fatal_error);
    llvm::install_bad_alloc_error_handler(on_bad_alloc);
  });
}

} // namespace

namespace detail {

FatalErrorScope::FatalErrorScope() {
  install_handlers_once();
  ++scopes_of_this_thread;
}
FatalErrorScope::~FatalErrorScope() { --scopes_of_this_thread; }

Error fatal_error(Worker &worker, const std::string &reason) {
  worker.poison();
  return Error(Diagnostic{.code = ErrorCode::LlvmError,
                          .message = reason,
                          .hint = "LLVM cannot generate code for something in this job; " +
                                  product_hint("llvm-opt") + " shows it"});
}

Error out_of_memory(Worker &worker) {
  worker.poison();
  return Error(ErrorCode::OutOfMemory, "out of memory while compiling");
}

Result<void> reported_errors(Worker &worker) {
  std::vector<std::string> errors = worker.take_errors();
  if (errors.empty()) return {};
  std::vector<Diagnostic> diagnostics;
  for (std::string &text : errors)
    diagnostics.push_back(Diagnostic{.code = ErrorCode::LlvmError, .message = std::move(text)});
  return Error(std::move(diagnostics));
}

} // namespace detail

Error to_error(llvm::Error error, std::string_view doing, ErrorKind kind) {
  return Error(general_code(kind), std::string(doing) + ": " + llvm::toString(std::move(error)));
}

} // namespace kiln
