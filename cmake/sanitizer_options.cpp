// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of the sanitizers, linked into all programs of the presets debug and tsan.

// If AddressSanitizer is on in the including code, LLVM's inline allocator poisons its slabs. The linked LLVM
// was built without it and writes into these slabs. Manual poisoning is therefore off. Impossibly large
// allocations return null as malloc does, because embedders may request them.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:allocator_may_return_null=1";
}

// As above: tests request impossibly large allocations. Children of fork() start threads of their own, which
// ThreadSanitizer allows only with this option. NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char *__tsan_default_options() { return "allocator_may_return_null=1:die_after_fork=0"; }

// A fatal error of LLVM is left by a jump (lib/llvm_support/fatal_errors.h), and loses the strings of its
// message. NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__lsan_default_suppressions() {
  return "leak:llvm::Twine::str\nleak:llvm::raw_ostream::write\n";
}

// oneTBB is built without ThreadSanitizer, which therefore cannot see how its threads pass tasks on. Its
// templates have no races of their own. Kiln annotates the data that it passes through oneTBB
// (runtime/host/executor.cpp). NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer wants this name
extern "C" const char *__tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\nrace_top:oneapi/tbb/\nrace_top:tbb::detail::\nrace:tbb::detail::d1::fold_tree\nrace:check_being_stolen\n";
}
