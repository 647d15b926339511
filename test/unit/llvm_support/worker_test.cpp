// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>
#include <llvm_support/llvm_support.h>

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/Support/ErrorHandling.h>

#include <array>
#include <thread>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

const MachineSpec ptx_machine{"nvptx64-nvidia-cuda", "sm_90", "+ptx85", 2, true};

/// An instruction that came with sm_100, and so cannot be selected for sm_90: a fatal error.
const char *unselectable =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "define ptx_kernel void @k(i128 %r, ptr addrspace(1) %p) {\n"
    "  %c = call i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128 %r)\n"
    "  store i1 %c, ptr addrspace(1) %p\n ret void }\n"
    "declare i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128)";
const char *fine =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "define ptx_kernel void @k(ptr addrspace(1) %p) { store i32 1, ptr addrspace(1) %p\n ret void }";

Result<std::string> compile(Worker &worker, const char *text) {
  KILN_TRY(std::unique_ptr<llvm::Module> module, parse_ir(worker, text, "test.ll"));
  return worker.generate(*module, ptx_machine, OutputKind::Assembly);
}

} // namespace

TEST_CASE("a fatal error of LLVM ends the job, not the process, and the worker is not used again") {
  WorkerPool pool;
  std::string expected;
  {
    auto worker = pool.acquire();
    auto text = compile(*worker, fine);
    REQUIRE(text.ok());
    expected = *text;
  }
  for (int i = 0; i < 30; ++i) {
    const Worker *bad;
    {
      auto worker = pool.acquire();
      bad = &*worker;
      auto failed = compile(*worker, unselectable);
      REQUIRE(!failed.ok());
      CHECK(failed.error().kind() == ErrorKind::Internal);
      CHECK_THAT(failed.error().what(), Contains("Cannot select"));
      CHECK(bad->poisoned());
    }
    auto worker = pool.acquire();
    CHECK(!worker->poisoned());
    auto text = compile(*worker, fine);
    REQUIRE(text.ok());
    CHECK(*text == expected);
  }
}

// LLVM's selection of instructions for PTX knows no division of 128 bits. A pass, which is left out for other
// modules, must expand it.
TEST_CASE("divisions of 128 bits are expanded for PTX, also after a module without them") {
  Worker worker;
  for (const char *operation : {"udiv", "sdiv", "urem", "srem"}) {
    CAPTURE(operation);
    const auto simple = compile(worker, fine);
    REQUIRE(simple.ok());
    CHECK_THAT(*simple, !Contains("bra"));
    const auto wide =
        compile(worker, (std::string("target triple = \"nvptx64-nvidia-cuda\"\n"
                                     "define ptx_kernel void @k(i128 %a, i128 %b, ptr addrspace(1) %p) {\n"
                                     "  %c = ") +
                         operation + " i128 %a, %b\n  store i128 %c, ptr addrspace(1) %p\n ret void }")
                            .c_str());
    REQUIRE(wide.ok());
    CHECK_THAT(*wide, Contains("bra")); // a loop over the bits
  }
}

TEST_CASE("fatal errors are contained on many threads at once") {
  WorkerPool pool;
  std::vector<std::thread> threads;
  std::array<int, 8> wrong{};
  for (int &count : wrong)
    threads.emplace_back([&pool, &count] {
      for (int i = 0; i < 10; ++i) {
        auto worker = pool.acquire();
        auto result = compile(*worker, i % 2 ? unselectable : fine);
        count += result.ok() == (i % 2 == 1);
      }
    });
  for (std::thread &thread : threads) thread.join();
  for (int count : wrong) CHECK(count == 0);
}

TEST_CASE("error diagnostics of a context become errors, warnings text") {
  Worker worker;
  Result<int> result = catch_fatal_errors(worker, [&]() -> Result<int> {
    worker.context().emitError("something is wrong");
    return 1;
  });
  REQUIRE(!result.ok());
  CHECK_THAT(result.error().what(), Contains("something is wrong"));
  CHECK(!worker.poisoned());
  Result<int> warned = catch_fatal_errors(worker, [&]() -> Result<int> {
    worker.context().diagnose(llvm::DiagnosticInfoGeneric("be careful", llvm::DS_Warning));
    return 2;
  });
  CHECK(warned.ok());
  auto warnings = worker.take_warnings();
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings.front(), Contains("be careful"));
}

TEST_CASE("out of memory within LLVM is an error") {
  Worker worker;
  Result<int> result = catch_fatal_errors(worker, []() -> Result<int> { throw std::bad_alloc(); });
  REQUIRE(!result.ok());
  CHECK(result.error().kind() == ErrorKind::Machine);
}

TEST_CASE("containment nests") {
  Worker worker;
  Result<int> result = catch_fatal_errors(worker, [&]() -> Result<int> {
    Result<int> inner =
        catch_fatal_errors(worker, []() -> Result<int> { llvm::report_fatal_error("inner"); });
    CHECK(!inner.ok());
    llvm::report_fatal_error("outer");
  });
  REQUIRE(!result.ok());
  CHECK_THAT(result.error().what(), Contains("outer"));
}

TEST_CASE("a pool lends a worker to one holder at a time and uses it again") {
  WorkerPool pool;
  const Worker *first;
  {
    auto a = pool.acquire();
    auto b = pool.acquire();
    CHECK(&*a != &*b);
    first = &*a;
  }
  auto c = pool.acquire();
  CHECK(&*c == first);
}

TEST_CASE("textual IR with a mistake is an input error with its place") {
  Worker worker;
  auto module = parse_ir(worker, "define void @f() {\n  nonsense\n}", "x.ll");
  REQUIRE(!module.ok());
  CHECK(module.error().kind() == ErrorKind::Input);
  CHECK_THAT(module.error().what(), Contains("x.ll:2:3"));
}

TEST_CASE("the verifier's text is in the error") {
  Worker worker;
  auto module = parse_ir(worker, "define i32 @f() { ret i32 0 }", "x.ll");
  REQUIRE(module.ok());
  CHECK(verify_ir(**module, "nothing").ok());
  (*module)->getFunction("f")->getEntryBlock().getTerminator()->eraseFromParent();
  auto broken = verify_ir(**module, "a test");
  REQUIRE(!broken.ok());
  CHECK_THAT(broken.error().what(), Contains("after a test") && Contains("terminator"));
}

TEST_CASE("an unknown triple is a machine error") {
  Worker worker;
  auto machine = worker.machine(MachineSpec{"gcn-amd-amdhsa", "gfx90a", "", 2, false});
  REQUIRE(!machine.ok());
  CHECK(machine.error().kind() == ErrorKind::Machine);
}
