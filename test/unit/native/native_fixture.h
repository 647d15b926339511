// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles .ll texts for the host and runs them as the executor does.
#pragma once

#include "host_cpu.h"
#include "must.h"
#include "target_flow.h"
#include <catch2/catch.hpp>
#include <csetjmp>
#include <cstring>
#include <host/host.h>
#include <kiln/abi.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>

using namespace kiln;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

CompilerConfig native_config() {
  CompilerConfig config;
  config.target = NativeOptions();
  return config;
}

std::string native(const std::string &text, CompilerConfig config = native_config(),
                   ArtifactKind kind = ArtifactKind::Assembly) {
  return flow::must_compile(config, text, kind);
}

extern "C" inline void test_native_throw(abi::NativeThread *state) {
  longjmp(*static_cast<jmp_buf *>(state->abort_thread), 1);
}

/// An object, linked; lives as long as this.
class Loaded {
public:
  explicit Loaded(const std::string &object) {
    auto jit = llvm::orc::LLJITBuilder().create();
    REQUIRE(static_cast<bool>(jit));
    jit_ = std::move(*jit);
    auto generator = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
    REQUIRE(static_cast<bool>(generator));
    jit_->getMainJITDylib().addGenerator(std::move(*generator));
    auto define = [&](const char *name, auto *symbol) {
      llvm::cantFail(jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(
          {{jit_->mangleAndIntern(name),
            {llvm::orc::ExecutorAddr::fromPtr(symbol), llvm::JITSymbolFlags::Exported}}})));
    };
    define(abi::NativeThrowSymbol, &test_native_throw);
    define(abi::NativeFramesSymbol, &kiln_native_frames);
    define(abi::NativeRoundsSymbol, &kiln_native_rounds);
    llvm::cantFail(jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object)));
  }
  template <class Function> Function function(const char *name) {
    auto address = jit_->lookup(name);
    INFO(name);
    REQUIRE(static_cast<bool>(address));
    return address->toPtr<Function>();
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

const char *declarations = R"(
declare ptr @kiln.state()
declare i32 @kiln.thread_idx.x()
declare i32 @kiln.thread_idx.y()
declare i32 @kiln.thread_idx.z()
declare i32 @kiln.block_idx.x()
declare i32 @kiln.block_dim.x()
declare i32 @kiln.block_dim.y()
declare i32 @kiln.grid_dim.x()
declare void @kiln.throw(i32, ptr, ptr)
@name = private constant [12 x i8] c"BoundsError\00"
@where = private constant [10 x i8] c"k|a.jl|30\00"
)";

const std::string saxpy = std::string(declarations) + R"(
define void @saxpy(float %a, ptr %x, ptr %y, i64 %n) "kiln.entry" "kiln.kernel" {
  %t = call i32 @kiln.thread_idx.x()
  %b = call i32 @kiln.block_idx.x()
  %d = call i32 @kiln.block_dim.x()
  %bd = mul i32 %b, %d
  %i32 = add i32 %t, %bd
  %i = sext i32 %i32 to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %body, label %end
body:
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr inbounds float, ptr %y, i64 %i
  %vy = load float, ptr %py
  %m = fmul contract float %a, %vx
  %s = fadd contract float %m, %vy
  store float %s, ptr %py
  br label %end
end:
  ret void
}
)";

[[maybe_unused]] abi::NativeThread thread_state(uint32_t x, uint32_t y, uint32_t z) {
  abi::NativeThread state{};
  state.block_dim[0] = x;
  state.block_dim[1] = y;
  state.block_dim[2] = z;
  state.grid_dim[0] = state.grid_dim[1] = state.grid_dim[2] = 1;
  return state;
}

} // namespace
