// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Default options of the sanitizers. This file is linked into all programs of the presets debug and tsan.

// Manual poisoning is off: LLVM's allocator, inlined into Kiln, would poison memory that the linked LLVM,
// built without AddressSanitizer, writes. Impossibly large allocations return null.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:allocator_may_return_null=1";
}

// Impossibly large allocations return null, as tests expect. With die_after_fork=0, ThreadSanitizer lets
// children of fork() start threads.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__tsan_default_options() { return "allocator_may_return_null=1:die_after_fork=0"; }

// Kiln leaves LLVM's fatal error handler by an exception (lib/llvm_support/fatal_errors.h). The strings of
// the error message then leak.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__lsan_default_suppressions() {
  return "leak:llvm::Twine::str\nleak:llvm::raw_ostream::write\n";
}

// ThreadSanitizer reports false races in oneTBB, because the library is built without it. Kiln annotates the
// data that it passes through oneTBB (runtime/host/executor.cpp).
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\nrace_top:oneapi/tbb/\nrace_top:tbb::detail::\nrace:tbb::detail::d1::fold_tree\nrace:check_being_stolen\n";
}
