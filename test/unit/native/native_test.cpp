// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native code is run here through LLVM's own JIT, as the host runtime will run it.
#include "native_fixture.h"

TEST_CASE("a native kernel runs a block, and those behind it in x if it may") {
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
    abi::NativeThread state = thread_state(16, 1, 1);
    for (state.block[0] = 1; state.block[0] < 7; ++state.block[0]) { // as the executor does it
      const uint32_t block = state.block[0];
      state.more = block == 2 ? 3 : 0;
      kernel(&state, args, 0, 16);
      CHECK(state.block[0] + state.more == (block == 2 ? 5 : block));
      CHECK((level == 0 || state.more == 0));
    }
    for (int i = 0; i < 100; ++i) CHECK(y[i] == (i >= 16 && i < 90 ? 2.0f * i + 1 : 1.0f));
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
  kernel(&state, args, 0, 60);
  REQUIRE(counter == 60);
  for (int i = 0; i < 60; ++i) {
    CHECK(out[i][0] == i % 3);
    CHECK(out[i][1] == i / 3 % 4);
    CHECK(out[i][2] == i / 12);
    CHECK(out[i][3] == 28);
  }
}

TEST_CASE("what a kernel calls sees the index of the block, whichever of several it is") {
  for (const char *attributes : {"noinline", "alwaysinline", ""}) {
    const std::string text = std::string(declarations) + R"(
define void @k(ptr %out) "kiln.entry" "kiln.kernel" {
  call void @count(ptr %out)
  %b = call i32 @kiln.block_idx.x()
  %q = getelementptr i32, ptr %out, i32 %b
  %behind = getelementptr i32, ptr %q, i32 8
  store i32 %b, ptr %behind
  ret void
}
define void @count(ptr %out) )" +
                             attributes + R"( {
  %b = call i32 @kiln.block_idx.x()
  %p = getelementptr i32, ptr %out, i32 %b
  %old = load atomic i32, ptr %p monotonic, align 4
  %new = add i32 %old, 1
  store atomic i32 %new, ptr %p monotonic, align 4
  ret void
}
)";
    Loaded loaded(native(text, native_config(), ArtifactKind::Object));
    int32_t out[16] = {};
    void *pout = out;
    void *args[] = {&pout};
    abi::NativeThread state = thread_state(4, 1, 1);
    state.block[0] = 1;
    state.more = 4;
    loaded.function<abi::NativeKernel>("k")(&state, args, 0, 4);
    CHECK(state.more == 0);
    for (int i = 0; i < 8; ++i) {
      CHECK(out[i] == (i >= 1 && i <= 5 ? 4 : 0));
      CHECK(out[8 + i] == (i >= 1 && i <= 5 ? i : 0));
    }
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
    for (int i = 0; i < 8; ++i) CHECK(out[i] == (i % 2 == 0));
    CHECK(record.status == 2);
    CHECK(record.kind ==
          static_cast<uint32_t>(debug_level ? abi::ExceptionKind::BoundsError : abi::ExceptionKind::Unknown));
    CHECK(record.thread[0] == 1); // the first one only
    CHECK(record.block[1] == 3);
    std::string name = record.text, location = record.text + name.size() + 1;
    CHECK(name == (debug_level ? "BoundsError" : ""));
    CHECK(location == (debug_level > 0 ? "k|a.jl|30" : ""));
  }
}

TEST_CASE("a text that is too long for the record is cut and still ends with a zero") {
  std::string name(300, 'n');
  const std::string text =
      std::string(declarations) + "@long = private constant [301 x i8] c\"" + name + R"(\00"
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
  if (setjmp(jump) == 0) loaded.function<abi::NativeKernel>("k")(&state, nullptr, 0, 1);
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
  for (double value : values) CHECK(value == 1.5);
  CHECK(memory[48] == 9);
}
