// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <waits/waits.h>

using namespace kiln::waits;

namespace {

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, const std::string &text) {
  llvm::SMDiagnostic fault;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, fault, context);
  INFO(fault.getMessage().str() << " in line " << fault.getLineNo());
  REQUIRE(module);
  REQUIRE(!llvm::verifyModule(*module));
  return module;
}

struct Found {
  WaitsBy waits;
  bool may_be_idle;
  bool operator==(const Found &) const = default;
};
constexpr Found runs{WaitsBy::Nothing, false}, works{WaitsBy::AnyTurn, false}, spins{WaitsBy::AnyTurn, true},
    polls{WaitsBy::IdleTurns, true};

bool is_report(const llvm::Function &function) { return function.getName() == "report"; }

/// Classifies the outermost loop of function f, after calls in loops that may wait were inlined.
Found classify(const std::string &text) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, text);
  const FunctionEffects effects(*module, is_report);
  llvm::Function &function = *module->getFunction("f");
  inline_calls_in_waits(function, effects, [](const llvm::Function &) { return false; });
  FunctionLoops loops(function);
  REQUIRE(loops.info.getLoopsInPreorder().size() >= 1);
  const WaitLoop loop(*loops.info.getLoopsInPreorder().front(), loops, effects);
  return {loop.waits(), loop.may_be_idle()};
}

/// A loop around `body`, which defines %more: whether another iteration follows.
std::string loop(const std::string &body, const std::string &declarations = {}) {
  return "define void @f(ptr %p, ptr %q, ptr %stop, i32 %n) {\nentry:\n  br label %loop\nloop:\n"
         "  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]\n  %i.next = add i32 %i, 1\n" +
         body + "\n  br i1 %more, label %loop, label %end\nend:\n  ret void\n}\n" + declarations;
}

} // namespace

TEST_CASE("a loop waits if atomic or volatile reads decide whether it ends") {
  for (const char *read : {"load atomic i32, ptr %p acquire, align 4", "load volatile i32, ptr %p",
                           "atomicrmw or ptr %p, i32 0 seq_cst", "atomicrmw add ptr %p, i32 0 seq_cst"})
    CHECK(classify(loop(std::string("  %v = ") + read + "\n  %more = icmp ne i32 %v, %n")) == spins);
}

TEST_CASE("a loop with plain reads waits if it synchronises, or if an iteration may be idle") {
  const std::string read = "  %v = load i32, ptr %p\n  %more = icmp ne i32 %v, %n";
  CHECK(classify(loop("  fence seq_cst\n" + read)) == spins);
  CHECK(classify(loop(read)) == polls);
  CHECK(classify(loop("  %v = load i32, ptr %p, !invariant.load !0\n  %more = icmp ne i32 %v, %n",
                      "!0 = !{}\n")) == runs);
  CHECK(classify(loop("  fence seq_cst\n  %more = icmp ne i32 %i, %n")) == runs);
}

TEST_CASE("a loop that ends by its own count does not wait idly") {
  CHECK(classify(loop("  %v = load atomic i32, ptr %p acquire, align 4\n  %a = icmp eq i32 %v, 0\n"
                      "  %b = icmp ult i32 %i, %n\n  %more = and i1 %a, %b")) == works);
  CHECK(classify(loop("  %old = atomicrmw add ptr %p, i32 1 seq_cst\n  %more = icmp slt i32 %old, %n")) ==
        runs);
}

TEST_CASE("a compare-and-swap waits with a constant, not with a value computed from the old one") {
  CHECK(classify(loop("  %s = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst\n"
                      "  %ok = extractvalue { i32, i1 } %s, 1\n  %more = xor i1 %ok, true")) == spins);
  CHECK(classify(loop("  %old = load i32, ptr %p\n  %new = add i32 %old, %n\n"
                      "  %s = cmpxchg ptr %p, i32 %old, i32 %new seq_cst seq_cst\n"
                      "  %ok = extractvalue { i32, i1 } %s, 1\n  %more = xor i1 %ok, true")) == runs);
  // A search of a free place in a table: each iteration tries another place.
  CHECK(classify(loop("  %at = getelementptr i32, ptr %p, i32 %i\n"
                      "  %s = cmpxchg ptr %at, i32 0, i32 %n seq_cst seq_cst\n"
                      "  %ok = extractvalue { i32, i1 } %s, 1\n  %more = xor i1 %ok, true")) == works);
}

TEST_CASE("a write is work if it changes memory on which the exits depend") {
  const std::string read = "\n  %v = load atomic i32, ptr %p acquire, align 4\n  %more = icmp ne i32 %v, %n";
  for (const char *update : {"store i32 %i, ptr ", "%o = atomicrmw umax ptr ", "%o = atomicrmw add ptr "}) {
    const std::string value = update[0] == 's' ? "" : ", i32 %i seq_cst";
    CHECK(classify(loop(std::string("  ") + update + "%q" + value + read)) == spins);
    CHECK(classify(loop(std::string("  ") + update + "%p" + value + read)) == works);
  }
  // The same write each time changes nothing.
  CHECK(classify(loop("  store i32 1, ptr %p" + read)) == spins);
  CHECK(classify(loop("  %o = atomicrmw umax ptr %p, i32 %n seq_cst" + read)) == spins);
  CHECK(classify(loop("  %o = atomicrmw xchg ptr %p, i32 1 seq_cst\n  %more = icmp eq i32 %o, 1")) == spins);
  // A pointer from memory may refer to any object.
  CHECK(classify(loop("  %a = load ptr, ptr %q\n  store i32 %i, ptr %a" + read)) == works);
  // An attempt that the loop takes back: a semaphore.
  CHECK(classify(loop("  %o = atomicrmw sub ptr %p, i32 1 seq_cst\n"
                      "  %r = atomicrmw add ptr %p, i32 1 seq_cst\n  %more = icmp slt i32 %o, 1")) == spins);
  CHECK(classify(loop("  %o = atomicrmw sub ptr %p, i32 1 seq_cst\n"
                      "  %r = atomicrmw add ptr %p, i32 2 seq_cst\n  %more = icmp slt i32 %o, 1")) == works);
}

TEST_CASE("a barrier in each iteration is work, unless another block is asked") {
  const std::string declaration = "declare void @kiln.barrier()\n";
  const std::string barrier = "  call void @kiln.barrier()\n";
  CHECK(classify(loop("  call void @kiln.barrier()\n  %v = load i32, ptr %p\n  %more = icmp ne i32 %v, %n",
                      declaration)) == runs);
  CHECK(classify(loop("  call void @kiln.barrier()\n  %v = load atomic i32, ptr %p acquire, align 4\n"
                      "  %more = icmp ne i32 %v, %n",
                      declaration)) == spins);
  // The block's own threads write what the exit reads.
  CHECK(classify(loop(barrier + "  %v = load atomic i32, ptr %p acquire, align 4\n  store i32 %i, ptr %p\n"
                                "  %more = icmp ne i32 %v, %n",
                      declaration)) == works);
  // A queue of work: each iteration takes a number.
  const std::string through_memory = "  store i32 %v, ptr %q\n  call void @kiln.barrier()\n"
                                     "  %w = load i32, ptr %q\n  %more = icmp ne i32 %w, %n";
  CHECK(classify(loop("  %v = atomicrmw add ptr %p, i32 1 seq_cst\n" + through_memory, declaration))
            .may_be_idle == false);
  // The same, with a flag by which another block may stop the loop.
  CHECK(classify(
            loop("  %s = atomicrmw add ptr %stop, i32 0 seq_cst\n  %v = atomicrmw add ptr %p, i32 1 seq_cst\n"
                 "  %b = or i32 %s, %v\n  store i32 %b, ptr %q\n  call void @kiln.barrier()\n"
                 "  %w = load i32, ptr %q\n  %more = icmp ne i32 %w, %n",
                 declaration))
            .may_be_idle == false);
  // The answer is computed before it is told.
  CHECK(classify(loop("  %a = atomicrmw add ptr %p, i32 0 seq_cst\n  %c = icmp eq i32 %a, %n\n"
                      "  %v = zext i1 %c to i32\n" +
                          through_memory,
                      declaration)) == spins);
  // One thread asks another block and tells its own.
  CHECK(classify(loop("  %v = atomicrmw add ptr %p, i32 0 seq_cst\n" + through_memory, declaration)) ==
        spins);
}

TEST_CASE("accesses of called functions count, those of ignored functions do not") {
  const std::string body = "  %v = call i32 @peek(ptr %p)\n  %more = icmp ne i32 %v, %n";
  CHECK(classify(loop(body, "define i32 @peek(ptr %p) noinline {\n"
                            "  %v = load atomic i32, ptr %p acquire, align 4\n  ret i32 %v\n}\n")) == spins);
  const std::string locks = "  %ok = call i1 @take(ptr %p)\n  %more = xor i1 %ok, true";
  CHECK(classify(loop(locks, "define i1 @take(ptr %p) noinline {\n"
                             "  %s = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst\n"
                             "  %ok = extractvalue { i32, i1 } %s, 1\n  ret i1 %ok\n}\n")) == spins);
  CHECK(classify(loop("  call void @report(ptr %q)\n  %v = load i32, ptr %p\n  %more = icmp ne i32 %v, %n",
                      "define void @report(ptr %q) {\n  store atomic i32 1, ptr %q seq_cst, align 4\n"
                      "  ret void\n}\n")) == polls);
}

TEST_CASE("the location of a loop is that of the outermost function in its header") {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, R"(
define void @f(ptr %p) !dbg !3 {
  br label %loop
loop:
  %v = load i32, ptr %p, !dbg !7
  %more = icmp ne i32 %v, 0, !dbg !5
  br i1 %more, label %loop, label %end, !dbg !5
end:
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)
!2 = !DIFile(filename: "a.jl", directory: "")
!3 = distinct !DISubprogram(name: "f", file: !2, line: 1, unit: !1, spFlags: DISPFlagDefinition)
!4 = distinct !DISubprogram(name: "peek", file: !2, line: 9, unit: !1, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, scope: !3)
!7 = !DILocation(line: 9, scope: !4, inlinedAt: !5)
)");
  const llvm::BasicBlock &header = *std::next(module->getFunction("f")->begin());
  CHECK(loop_place(header).getDebugLoc().getLine() == 2);
}
