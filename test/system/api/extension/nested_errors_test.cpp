// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nested jobs cannot be, and where that is told.
#include "nested.h"

#include <kiln/extension/llvm/ir.h>

namespace nested_errors_test {

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

TEST_CASE("what a nested job cannot be is told at its place") {
  auto session = open();
  must(session->load("wrong.jl", R"(
using CUDA
inner(x) = x + 7777
outer(x) = ccall(deferred_codegen_in(Val(:ad), inner, Int64), Int64, (Int64,), x)
bad(x) = x > 5 ? missing_function(x) : x
calls_bad(x) = ccall(deferred_codegen_in(Val(:ad), bad, Int64), Int64, (Int64,), x)
no_method(x) = ccall(deferred_codegen_in(Val(:ad), inner, Int64, Int64), Int64, (Int64, Int64), x, x)
unnamed(x) = ccall(deferred_codegen_in(inner, Int64), Int64, (Int64,), x)
captures(x) = ccall(deferred_codegen_in(Val(:ad), y -> x + y, Int64), Int64, (Int64,), x)
)"));
  CHECK_THAT(failure(*session, "outer(Int64)", plain()),
             Contains("the config of this job has no nested config `ad`") && Contains("it has none") &&
                 Contains("wrong.jl:4"));
  CHECK_THAT(failure(*session, "outer(Int64)", plain({named("other"), named("more")})),
             Contains("its nested configs are `other`, `more`"));
  CHECK_THAT(failure(*session, "calls_bad(Int64)", plain({named("ad")})),
             Contains("missing_function") && Contains("wrong.jl:5") && Contains("wrong.jl:6"));
  CHECK_THAT(failure(*session, "no_method(Int64)", plain({named("ad")})),
             Contains("no method matching inner(::Int64, ::Int64)") && Contains("wrong.jl:7"));
  CHECK_THAT(failure(*session, "unnamed(Int64)", plain({named("ad")})),
             Contains("takes the name of a nested config"));
  CHECK_THAT(failure(*session, "captures(Int64)", plain({named("ad")})),
             Contains("no space for what it captures"));

  struct Refusing final : Diary {
    Result<void> finish_module(const CompilerConfig &, llvm::Module &, llvm::Function &) const override {
      return make_error(ErrorCode::KernelError, "not differentiable", {}, "come back tomorrow");
    }
  };
  CHECK_THAT(
      failure(*session, "outer(Int64)", plain({named("ad", with_hooks(std::make_shared<Refusing>()))})),
      Contains("not differentiable") && Contains("come back tomorrow") &&
          Contains("in the nested job `ad` of inner(::Int64)") && Contains("wrong.jl:4"));

  auto refused = [&](const NestedConfig &nested) {
    return failure(*session, "outer(Int64)", plain({nested}), ErrorKind::Usage);
  };
  CompilerConfig ptx;
  ptx.target = PtxOptions{};
  CHECK_THAT(refused(named("ad", ptx)),
             Contains("`ad` is for the target ptx (nvptx64-nvidia-cuda)") && Contains("for native (x86_64"));
  CHECK_THAT(refused(named("a d")), Contains("is no identifier"));
  CHECK_THAT(refused({"ad", nullptr}), Contains("`ad` is null"));
  CHECK_THAT(refused(named("ad", changed({}, [](CompilerConfig &c) { c.name = "entry"; }))),
             Contains("sets name, which is for a whole program"));
  CHECK_THAT(refused(named("ad", changed({}, [](CompilerConfig &c) { c.check = true; }))),
             Contains("sets check"));
  CHECK_THAT(refused(named("ad", changed({}, [](CompilerConfig &c) { c.opt_level = 7; }))),
             Contains("in the nested config `ad`") && Contains("opt_level"));
  CHECK_THAT(failure(*session, "outer(Int64)", plain({named("ad"), named("ad")}), ErrorKind::Usage),
             Contains("two nested configs of the name `ad`"));
}

TEST_CASE("hooks may not take the entry away, or change what it is called with") {
  struct Deleting final : Diary {
    Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &module) const override {
      for (llvm::Function &function : module)
        if (!function.isDeclaration()) function.deleteBody();
      return {};
    }
  };
  auto session = open();
  must(session->load("nested.jl", nested_program));
  CHECK_THAT(
      failure(*session, "outer(Int64)", plain({named("ad", with_hooks(std::make_shared<Deleting>()))})),
      Contains("has lost its entry"));
}

TEST_CASE("an error of hooks about an instruction points at the line that it came from") {
  struct NoDivision final : Diary {
    Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &module) const override {
      for (llvm::Function &function : module)
        for (llvm::BasicBlock &block : function)
          for (llvm::Instruction &instruction : block)
            if (instruction.getOpcode() == llvm::Instruction::FDiv)
              return error_at(instruction, ErrorCode::InvalidIRError, "no division here", "multiply");
      return {};
    }
  };
  auto session = open();
  must(session->load(
      "divides.jl", "halve(x) = 0.5 + x\n"
                    "@inline third(x) = x / 3.0\n"
                    "inner(x) = third(x)\n"
                    "f(x) = ccall(deferred_codegen_in(Val(:ad), inner, Float64), Float64, (Float64,), x)\n"));
  for (const bool nested : {false, true}) {
    const CompilerConfig own = with_hooks(std::make_shared<NoDivision>());
    CompilerConfig config = nested ? plain({named("ad", own)}) : plain();
    if (!nested) config.hooks = own.hooks;
    auto failed = session->compile(nested ? "f(Float64)" : "inner(Float64)", config, ArtifactKind::Object);
    REQUIRE(!failed.ok());
    const Diagnostic &told = failed.error().diagnostics().front();
    CHECK(told.message == "no division here");
    CHECK(told.hint == "multiply");
    CHECK(told.at.file_name() == "divides.jl"); // in Kiln's library the quotient of two numbers has its line
    CHECK(told.at.line() == 2);
    REQUIRE(told.stack.size() == 3); // `/` of the library, third, inner
    CHECK(told.stack[1].function == "third");
    CHECK(told.stack[2].at.line() == 3);
    CHECK(told.notes.size() == size_t(nested));
  }
}

} // namespace nested_errors_test
