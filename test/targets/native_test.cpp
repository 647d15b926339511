// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native code is run here through LLVM's own JIT, as the host runtime will run it.
#include "flow.h"

#include <catch2/catch.hpp>
#include <kiln/abi.h>

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <csetjmp>
#include <cstring>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

CompilerConfig native_config() {
  CompilerConfig config;
  config.target.kind = TargetKind::Native;
  return config;
}

std::string native(const std::string &text, CompilerConfig config = native_config(),
                   ArtifactKind kind = ArtifactKind::Assembly) {
  WorkerPool pool;
  auto worker = pool.acquire();
  Result<std::string> result = flow::compile(*worker, config, text, kind);
  INFO((result ? "" : result.error().what()));
  REQUIRE(result.ok());
  return *result;
}

extern "C" void test_native_throw(abi::NativeThread *state) { longjmp(*static_cast<jmp_buf *>(state->abort_thread), 1); }

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
    llvm::cantFail(jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(
        {{jit_->mangleAndIntern(abi::NativeThrowSymbol),
          {llvm::orc::ExecutorAddr::fromPtr(&test_native_throw), llvm::JITSymbolFlags::Exported}}})));
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

abi::NativeThread thread_state(uint32_t x, uint32_t y, uint32_t z) {
  abi::NativeThread state{};
  state.block_dim[0] = x; state.block_dim[1] = y; state.block_dim[2] = z;
  state.grid_dim[0] = state.grid_dim[1] = state.grid_dim[2] = 1;
  return state;
}

} // namespace

TEST_CASE("a native kernel runs a range of a block's threads") {
  for (int level : {0, 1, 2, 3}) {
    CompilerConfig config = native_config();
    config.opt_level = level;
    Loaded loaded(native(saxpy, config, ArtifactKind::Object));
    auto kernel = loaded.function<abi::NativeKernel>("saxpy");
    std::vector<float> x(100), y(100);
    for (int i = 0; i < 100; ++i) {
      x[i] = static_cast<float>(i);
      y[i] = 1;
    }
    float a = 2, *px = x.data(), *py = y.data();
    int64_t n = 90;
    void *args[] = {&a, &px, &py, &n};
    abi::NativeThread state = thread_state(64, 1, 1);
    kernel(&state, args, 5, 64);
    state.block[0] = 1;
    kernel(&state, args, 0, 64);
    kernel(&state, args, 7, 7); // no thread
    for (int i = 0; i < 100; ++i)
      CHECK(y[i] == (i >= 5 && i < 90 ? 2.0f * i + 1 : 1.0f));
  }
}

TEST_CASE("threads have their three indices, in linear order") {
  const std::string text = std::string(declarations) + R"(
define void @index(ptr %out, ptr %counter) "kiln.entry" "kiln.kernel" {
  call void @record(ptr %out, ptr %counter)
  ret void
}
define void @record(ptr %out, ptr %counter) noinline {
  %x = call i32 @kiln.thread_idx.x()
  %y = call i32 @kiln.thread_idx.y()
  %z = call i32 @kiln.thread_idx.z()
  %h = call i32 @kiln.block_dim.y()
  %g = call i32 @kiln.grid_dim.x()
  %n = load i32, ptr %counter
  %n1 = add i32 %n, 1
  store i32 %n1, ptr %counter
  %p = getelementptr [4 x i32], ptr %out, i32 %n
  %v0 = insertelement <4 x i32> undef, i32 %x, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %y, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %z, i32 2
  %hg = mul i32 %h, %g
  %v3 = insertelement <4 x i32> %v2, i32 %hg, i32 3
  store <4 x i32> %v3, ptr %p, align 4
  ret void
}
)";
  Loaded loaded(native(text, native_config(), ArtifactKind::Object));
  auto kernel = loaded.function<abi::NativeKernel>("index");
  int32_t out[60][4] = {}, counter = 0;
  void *pout = out, *pcounter = &counter;
  void *args[] = {&pout, &pcounter};
  abi::NativeThread state = thread_state(3, 4, 5);
  state.grid_dim[0] = 7;
  kernel(&state, args, 4, 58);
  REQUIRE(counter == 54);
  for (int i = 4; i < 58; ++i) {
    CHECK(out[i - 4][0] == i % 3);
    CHECK(out[i - 4][1] == i / 3 % 4);
    CHECK(out[i - 4][2] == i / 12);
    CHECK(out[i - 4][3] == 28);
  }
}

TEST_CASE("an exception is recorded once, with thread and text, and ends its thread") {
  const std::string text = std::string(declarations) + R"(
define void @k(ptr %out) "kiln.entry" "kiln.kernel" {
  %x = call i32 @kiln.thread_idx.x()
  %odd = and i32 %x, 1
  %bad = icmp ne i32 %odd, 0
  br i1 %bad, label %throw, label %good
good:
  %p = getelementptr i32, ptr %out, i32 %x
  store i32 1, ptr %p
  ret void
throw:
  call void @kiln.throw(i32 2, ptr @name, ptr @where)
  unreachable
}
)";
  for (int debug_level : {0, 1, 2}) {
    CompilerConfig config = native_config();
    config.debug_level = debug_level;
    Loaded loaded(native(text, config, ArtifactKind::Object));
    auto kernel = loaded.function<abi::NativeKernel>("k");
    int32_t out[8] = {};
    void *pout = out;
    void *args[] = {&pout};
    abi::NativeThread state = thread_state(8, 1, 1);
    state.block[1] = 3;
    abi::ExceptionRecord record{};
    std::memset(record.text, 'x', sizeof record.text);
    jmp_buf jump;
    state.exception = &record;
    state.abort_thread = &jump;
    volatile uint32_t first = 0;
    volatile int threw = 0;
    while (first < 8) {
      if (setjmp(jump) == 0) {
        kernel(&state, args, first, 8);
        break;
      }
      threw = threw + 1;
      first = state.thread[0] + 1;
    }
    CHECK(threw == 4);
    for (int i = 0; i < 8; ++i)
      CHECK(out[i] == (i % 2 == 0));
    CHECK(record.status == 2);
    CHECK(record.kind == static_cast<uint32_t>(debug_level ? abi::ExceptionKind::BoundsError : abi::ExceptionKind::Unknown));
    CHECK(record.thread[0] == 1); // the first one only
    CHECK(record.block[1] == 3);
    std::string name = record.text, location = record.text + name.size() + 1;
    CHECK(name == (debug_level ? "BoundsError" : ""));
    CHECK(location == (debug_level > 0 ? "k|a.jl|30" : ""));
  }
}

TEST_CASE("a text that is too long for the record is cut and still ends with a zero") {
  std::string name(300, 'n');
  const std::string text = std::string(declarations) + "@long = private constant [301 x i8] c\"" + name + R"(\00"
define void @k() "kiln.entry" "kiln.kernel" {
  call void @kiln.throw(i32 1, ptr @long, ptr @where)
  unreachable
}
)";
  CompilerConfig config = native_config();
  config.debug_level = 2;
  Loaded loaded(native(text, config, ArtifactKind::Object));
  abi::NativeThread state = thread_state(1, 1, 1);
  abi::ExceptionRecord record[2] = {};
  jmp_buf jump;
  state.exception = &record[0];
  state.abort_thread = &jump;
  if (setjmp(jump) == 0)
    loaded.function<abi::NativeKernel>("k")(&state, nullptr, 0, 1);
  CHECK(std::strlen(record[0].text) == 191);
  CHECK(record[1].status == 0);
}

TEST_CASE("shared arrays lie in the block's memory, static ones first") {
  const std::string text = std::string(declarations) + R"(
@a = internal addrspace(3) global [3 x i8] undef, align 1
@b = internal addrspace(3) global [4 x double] undef, align 8
@dynamic = external addrspace(3) global [0 x i8], align 16
define void @k() "kiln.entry" "kiln.kernel" {
  %x = call i32 @kiln.thread_idx.x()
  %p = getelementptr double, ptr addrspace(3) @b, i32 %x
  store double 1.5, ptr addrspace(3) %p
  store i8 7, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a, i64 2)
  store i32 9, ptr addrspace(3) @dynamic
  ret void
}
)";
  std::string ir = native(text, native_config(), ArtifactKind::LlvmOpt);
  CHECK_THAT(ir, Contains("\"kiln.shared_bytes\"=\"40\""));
  Loaded loaded(native(text, native_config(), ArtifactKind::Object));
  alignas(16) unsigned char memory[64] = {};
  abi::NativeThread state = thread_state(4, 1, 1);
  state.shared = memory;
  loaded.function<abi::NativeKernel>("k")(&state, nullptr, 0, 4);
  CHECK(memory[2] == 7);
  double values[4];
  std::memcpy(values, memory + 8, sizeof values);
  for (double value : values)
    CHECK(value == 1.5);
  CHECK(memory[48] == 9);
}

TEST_CASE("a barrier brings all threads together, also where one of them has thrown") {
  // Each thread adds its neighbour's value of the round before; thread 5 throws behind the first barrier.
  const std::string text = std::string(declarations) + R"(
@tile = internal addrspace(3) global [64 x i64] undef, align 8
declare void @kiln.barrier()
define void @k(ptr %out, i64 %rounds, i32 %bad) "kiln.entry" "kiln.kernel" {
  %x = call i32 @kiln.thread_idx.x()
  %d = call i32 @kiln.block_dim.x()
  %x1 = add i32 %x, 1
  %neighbour = urem i32 %x1, %d
  %mine = getelementptr i64, ptr addrspace(3) @tile, i32 %x
  %other = getelementptr i64, ptr addrspace(3) @tile, i32 %neighbour
  %start = zext i32 %x to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %checked ]
  %v = phi i64 [ %start, %0 ], [ %sum, %checked ]
  store i64 %v, ptr addrspace(3) %mine
  call void @wait()
  %n = load i64, ptr addrspace(3) %other
  %sum = add i64 %v, %n
  call void @wait()
  call void @check(i32 %x, i32 %bad)
  br label %checked
checked:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %end
end:
  %p = getelementptr i64, ptr %out, i32 %x
  store i64 %sum, ptr %p
  ret void
}
define void @wait() noinline {
  call void @kiln.barrier()
  ret void
}
define void @check(i32 %x, i32 %bad) noinline {
  %throw = icmp eq i32 %x, %bad
  br i1 %throw, label %t, label %good
t:
  call void @kiln.throw(i32 2, ptr @name, ptr @where)
  unreachable
good:
  ret void
}
)";
  for (int level : {0, 1, 2, 3}) {
    CompilerConfig config = native_config();
    config.opt_level = level;
    Loaded loaded(native(text, config, ArtifactKind::Object));
    auto kernel = loaded.function<abi::NativeKernel>("k");
    for (int32_t bad : {-1, 5}) {
      const uint32_t threads = 64;
      const int64_t rounds = 6;
      std::vector<int64_t> out(threads, -1), expected(threads), shared(threads);
      void *pout = out.data();
      int64_t r = rounds;
      void *args[] = {&pout, &r, &bad};
      abi::NativeThread state = thread_state(threads, 1, 1);
      std::vector<int64_t> memory(threads);
      abi::ExceptionRecord record{};
      state.shared = memory.data();
      state.exception = &record;
      kernel(&state, args, 0, threads);
      for (uint32_t i = 0; i < threads; ++i)
        expected[i] = i;
      for (int64_t round = 0; round < rounds; ++round) {
        for (uint32_t i = 0; i < threads; ++i)
          if (round == 0 || static_cast<int32_t>(i) != bad)
            shared[i] = expected[i];
        for (uint32_t i = 0; i < threads; ++i)
          expected[i] += shared[(i + 1) % threads];
      }
      if (bad >= 0)
        expected[bad] = -1;
      CHECK(out == expected);
      CHECK(record.status == (bad >= 0 ? 2u : 0u));
      CHECK(record.thread[0] == (bad >= 0 ? 5u : 0u));
    }
  }
}

TEST_CASE("a barrier in a plain function is nothing") {
  CompilerConfig config = native_config();
  config.kernel = false;
  Loaded loaded(native("define i32 @f() \"kiln.entry\" {\n call void @kiln.barrier()\n ret i32 3\n}\n"
                       "declare void @kiln.barrier()", config, ArtifactKind::Object));
  CHECK(loaded.function<int (*)()>("f")() == 3);
}

TEST_CASE("plain functions: own signature, and packed") {
  const std::string text = std::string(declarations) + R"(
define double @hypotenuse(double %a, double %b) "kiln.entry" {
  %aa = fmul double %a, %a
  %bb = fmul double %b, %b
  %s = fadd double %aa, %bb
  %r = call double @sqrt(double %s)
  ret double %r
}
declare double @sqrt(double)
)";
  CompilerConfig config = native_config();
  config.kernel = false;
  Loaded plain(native(text, config, ArtifactKind::Object));
  CHECK(plain.function<double (*)(double, double)>("hypotenuse")(3, 4) == 5);
  config.entry_abi = EntryAbi::Packed;
  Loaded packed(native(text, config, ArtifactKind::Object));
  double a = 5, b = 12, result = 0;
  void *args[] = {&a, &b};
  packed.function<abi::NativeFunction>("hypotenuse")(nullptr, args, &result);
  CHECK(result == 13);
}

TEST_CASE("a plain function that throws takes the state") {
  const std::string text = std::string(declarations) + R"(
define i64 @f(i64 %n) "kiln.entry" {
  %bad = icmp slt i64 %n, 0
  br i1 %bad, label %throw, label %good
good:
  ret i64 %n
throw:
  call void @kiln.throw(i32 5, ptr @name, ptr @where)
  unreachable
}
)";
  CompilerConfig config = native_config();
  config.kernel = false;
  config.entry_abi = EntryAbi::Packed;
  Loaded loaded(native(text, config, ArtifactKind::Object));
  abi::NativeThread state = thread_state(1, 1, 1);
  state.thread[2] = 6;
  abi::ExceptionRecord record{};
  jmp_buf jump;
  state.exception = &record;
  state.abort_thread = &jump;
  int64_t n = -1;
  volatile int64_t result = 0;
  void *args[] = {&n};
  auto f = loaded.function<abi::NativeFunction>("f");
  if (setjmp(jump) == 0)
    f(&state, args, const_cast<int64_t *>(&result));
  CHECK(record.kind == 5);
  CHECK(record.thread[2] == 6);
  CHECK(result == 0);
  n = 4;
  f(&state, args, const_cast<int64_t *>(&result));
  CHECK(result == 4);
  config.entry_abi = EntryAbi::Specfunc;
  CHECK_THAT(native(text, config, ArtifactKind::LlvmOpt), Contains("i64 @f(ptr") && Contains("%state, i64 %n)"));
}

TEST_CASE("loops over threads are vectorised") {
  CHECK_THAT(native(saxpy, native_config(), ArtifactKind::LlvmOpt), Contains("vector.body"));
  CompilerConfig config = native_config();
  config.opt_level = 1;
  CHECK_THAT(native(saxpy, config, ArtifactKind::LlvmOpt), !Contains("vector.body"));
}

TEST_CASE("native specs are checked") {
  const Target &target = find_target(TargetKind::Native);
  TargetSpec spec;
  Result<TargetSpec> host = target.check(spec);
  REQUIRE(host.ok());
  CHECK(!host->cpu.empty());
  CHECK(*target.check(*host) == *host); // a resolved spec stays
  spec.cpu = "native";
  CHECK(*target.check(spec) == *host);
  spec.cpu = "x86-64-v3";
  REQUIRE(target.check(spec).ok());
  CHECK(target.check(spec)->features.empty());
  spec.cpu = "pentium9";
  auto error = target.check(spec);
  REQUIRE(!error.ok());
  CHECK(error.error().kind() == ErrorKind::Usage);
  CHECK_THAT(error.error().what(), Contains("pentium9") && Contains("znver3"));
  spec.cpu = "";
  spec.features = "+nonsense";
  CHECK_THAT(target.check(spec).error().what(), Contains("+nonsense"));
  spec.features = "avx2";
  CHECK(!target.check(spec).ok());
  spec = {};
  spec.max_registers = 3;
  CHECK(!target.check(spec).ok());
}

TEST_CASE("targets by kind and name") {
  CHECK(find_target("ptx") == &find_target(TargetKind::Ptx));
  CHECK(find_target("native") == &find_target(TargetKind::Native));
  CHECK(find_target("gcn") == nullptr);
}

TEST_CASE("objects are the same bytes from a used worker and a fresh one") {
  WorkerPool pool;
  auto worker = pool.acquire();
  std::string first;
  for (int i = 0; i < 20; ++i) {
    auto object = flow::compile(*worker, native_config(), saxpy, ArtifactKind::Object);
    REQUIRE(object.ok());
    if (i == 0)
      first = *object;
    CHECK(*object == first);
    REQUIRE(flow::compile(*worker, flow::ptx_config(), "define void @k() \"kiln.entry\" \"kiln.kernel\" { ret void }",
                          ArtifactKind::Assembly).ok());
  }
  CHECK(native(saxpy, native_config(), ArtifactKind::Object) == first);
}
