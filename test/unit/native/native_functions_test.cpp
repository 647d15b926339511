// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native kernels with barriers, plain functions, and the target's own checks.
#include "native_fixture.h"

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
      Executor executor;
      LaunchOutcome outcome;
      LaunchShape shape{{1, 1, 1}, {threads, 1, 1}, 0};
      REQUIRE(executor.run(kernel, shape, args, threads * sizeof(int64_t), outcome).ok());
      const abi::ExceptionRecord &record = outcome.exception;
      for (uint32_t i = 0; i < threads; ++i) expected[i] = i;
      for (int64_t round = 0; round < rounds; ++round) {
        for (uint32_t i = 0; i < threads; ++i)
          if (round == 0 || static_cast<int32_t>(i) != bad) shared[i] = expected[i];
        for (uint32_t i = 0; i < threads; ++i) expected[i] += shared[(i + 1) % threads];
      }
      if (bad >= 0) expected[bad] = -1;
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
                       "declare void @kiln.barrier()",
                       config, ArtifactKind::Object));
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
  if (setjmp(jump) == 0) f(&state, args, const_cast<int64_t *>(&result));
  CHECK(record.kind == 5);
  CHECK(record.thread[2] == 6);
  CHECK(result == 0);
  n = 4;
  f(&state, args, const_cast<int64_t *>(&result));
  CHECK(result == 4);
  config.entry_abi = EntryAbi::Specfunc;
  CHECK_THAT(native(text, config, ArtifactKind::LlvmOpt),
             Contains("i64 @f(ptr") && Contains("%state, i64 %n)"));
}

TEST_CASE("loops over threads are vectorised") {
  CHECK_THAT(native(saxpy, native_config(), ArtifactKind::LlvmOpt), Contains("vector.body"));
  CompilerConfig config = native_config();
  config.opt_level = 1;
  CHECK_THAT(native(saxpy, config, ArtifactKind::LlvmOpt), !Contains("vector.body"));
}

TEST_CASE("native specs are checked") {
  const Target &target = find_target(NativeOptions());
  NativeOptions spec;
  Result<TargetSpec> host = target.check(spec);
  REQUIRE(host.ok());
  CHECK(!host->get<NativeOptions>().cpu.empty());
  CHECK(*target.check(*host) == *host); // a resolved spec stays
  spec.cpu = "native";
  CHECK(*target.check(spec) == *host);
  spec.cpu = "x86-64-v3";
  REQUIRE(target.check(spec).ok());
  CHECK(target.check(spec)->get<NativeOptions>().features.empty());
  spec.cpu = "pentium9";
  auto error = target.check(spec);
  REQUIRE(!error.ok());
  CHECK(error.error().kind() == ErrorKind::Usage);
  CHECK_THAT(error.error().what(), Contains("pentium9") && Contains("x86-64-v3") && Contains("neoverse-v2"));
  spec.cpu = "";
  spec.features = "+nonsense";
  CHECK_THAT(target.check(spec).error().what(), Contains("+nonsense"));
  spec.features = host_feature;
  CHECK(!target.check(spec).ok());
}

TEST_CASE("objects are the same bytes from a used worker and a fresh one") {
  WorkerPool pool;
  auto worker = pool.acquire();
  std::string first;
  for (int i = 0; i < 20; ++i) {
    auto object = flow::compile(*worker, native_config(), saxpy, ArtifactKind::Object);
    REQUIRE(object.ok());
    if (i == 0) first = *object;
    CHECK(*object == first);
    REQUIRE(flow::compile(*worker, flow::ptx_config(),
                          "define void @k() \"kiln.entry\" \"kiln.kernel\" { ret void }",
                          ArtifactKind::Assembly)
                .ok());
  }
  CHECK(native(saxpy, native_config(), ArtifactKind::Object) == first);
}
