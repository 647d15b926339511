// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of the sanitizers, linked into every program of the presets debug and tsan.

// LLVM's inline allocator poisons its slabs when the includer is built with AddressSanitizer, and the LLVM we
// link was built without: its own code then writes into slabs that only we know as poisoned. So manual
// poisoning is off. Sizes that no machine has are refused as by malloc, since embedders may ask for them.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:allocator_may_return_null=1";
}

// As above: tests ask for more memory than there is. And children of fork() start threads of their own, which
// ThreadSanitizer allows where it is told to. NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char *__tsan_default_options() { return "allocator_may_return_null=1:die_after_fork=0"; }

// A fatal error of LLVM is left by a jump (lib/llvm_support/fatal_errors.h), and loses the strings of its
// message. NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__lsan_default_suppressions() {
  return "leak:llvm::Twine::str\nleak:llvm::raw_ostream::write\n";
}

// oneTBB is built without ThreadSanitizer, which so cannot see how its threads hand tasks to each other.
// Races inside its templates are none; what Kiln hands over through it is annotated
// (runtime/host/executor.cpp). NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\nrace_top:oneapi/tbb/\nrace_top:tbb::detail::\nrace:tbb::detail::d1::fold_tree\nrace:check_being_stolen\n";
}
