// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets loops suspend that may wait for another thread's write (waits/wait_loop.h). The threads of a block
// share one host thread, so that such a loop must suspend regularly (abi::WaitKind::Spin). The kernel becomes
// a coroutine.
//
// A loop that synchronises suspends after each idle iteration, and after every 256th other iteration. A loop
// with plain loads alone suspends after each idle iteration. The `value` of an idle suspension is the number
// of consecutive idle iterations; of other suspensions, 0.
#include "spin_waits.h"

#include "instrument.h"
#include "passes.h"

#include <rewrite/rewrite.h>

namespace kiln::native {
namespace {

using llvm::BasicBlock;

/// True for functions that change nothing that a kernel reads: reports of exceptions, calls of the checker.
bool is_ignored(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  return is_reporter(function) || name == abi::NativeAccessSymbol || name == abi::NativeOverdueSymbol;
}

} // namespace

void add_spin_waits(llvm::Module &module) {
  const waits::FunctionEffects effects(module, is_ignored);
  std::vector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !is_reporter(function) && !calls_itself(function))
      functions.push_back(&function);
  for (llvm::Function *function : functions) waits::inline_calls_in_waits(*function, effects, calls_itself);
  for (llvm::Function *function : functions) {
    // Handle outer loops first: inner loops continue the outer loop's count of idle iterations. Suspensions
    // split blocks, so that loops are analysed again after each change.
    std::set<const BasicBlock *> seen; // never iterated
    SpinVariables variables;
    for (bool found = true; found;) {
      found = false;
      waits::FunctionLoops loops(*function);
      for (llvm::Loop *loop : loops.info.getLoopsInPreorder()) {
        if (!seen.insert(loop->getHeader()).second) continue;
        const waits::WaitLoop wait(*loop, loops, effects);
        if (wait.waits() == waits::WaitsBy::Nothing) continue;
        add_suspensions(*loop, wait.slice(), effects, wait.latches(), wait.waits() == waits::WaitsBy::AnyTurn,
                        variables);
        found = true;
        break;
      }
    }
  }
}

} // namespace kiln::native
