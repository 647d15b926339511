// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the native target says of itself, and code for the levels of the x86-64 psABI: v2 has no AVX, v3 has
// AVX2 and FMA.
#include "native_fixture.h"

#include <native/native.h>

#include <array>
#include <numeric>

namespace {

/// C99's <math.h> but for remquo, scalbln, nan and nexttoward.
constexpr std::array math_functions{
    "acos",  "asin",      "atan",     "atan2",     "cos",    "sin",   "tan",    "acosh",   "asinh",
    "atanh", "cosh",      "sinh",     "tanh",      "exp",    "exp2",  "expm1",  "frexp",   "ilogb",
    "ldexp", "log",       "log10",    "log1p",     "log2",   "logb",  "modf",   "scalbn",  "cbrt",
    "fabs",  "hypot",     "pow",      "sqrt",      "erf",    "erfc",  "lgamma", "tgamma",  "ceil",
    "floor", "nearbyint", "rint",     "lrint",     "llrint", "round", "lround", "llround", "trunc",
    "fmod",  "remainder", "copysign", "nextafter", "fdim",   "fmax",  "fmin",   "fma"};

std::string message(const Result<void> &result) {
  REQUIRE(!result.ok());
  CHECK((result.error().kind() == ErrorKind::Usage || result.error().kind() == ErrorKind::Input));
  return result.error().what();
}

std::string assembly_for(const char *cpu) {
  CompilerConfig config = native_config();
  config.target = NativeOptions{.cpu = cpu};
  return native(saxpy, config, ArtifactKind::Assembly);
}

} // namespace

TEST_CASE("compiled code may call the C library's functions of numbers, as doubles and as floats") {
  for (std::string name : math_functions) {
    INFO(name);
    CHECK(native_target().is_intrinsic(name));
    CHECK(native_target().is_intrinsic(name + "f"));
    CHECK(!native_target().is_intrinsic(name + "l")); // no type of the language is a long double
    CHECK(!native_target().is_intrinsic(name + "ff"));
  }
}

TEST_CASE("whatever may stay undefined is found in this process") {
  std::vector<std::string> names{"exp10",
                                 "sincos",
                                 "j0",
                                 "j1",
                                 "jn",
                                 "y0",
                                 "y1",
                                 "yn",
                                 "memcpy",
                                 "memmove",
                                 "memset",
                                 "memcmp",
                                 "printf",
                                 "puts",
                                 "putchar",
                                 "malloc",
                                 "free",
                                 "clock_gettime",
                                 "kiln_host_array",
                                 "kiln_out_of_bounds",
                                 abi::NativeThrowSymbol,
                                 abi::NativeFramesSymbol,
                                 abi::NativeRoundsSymbol,
                                 abi::NativeAccessSymbol,
                                 abi::NativeOverdueSymbol};
  names.insert(names.end(), math_functions.begin(), math_functions.end());
  size_t found = 0;
  for (const std::string &name : std::vector(names)) names.push_back(name + "f");
  for (const std::string &name : names) {
    if (!native_target().is_intrinsic(name)) continue;
    INFO(name);
    CHECK(find_host_symbol(name) != nullptr);
    found++;
  }
  CHECK(found > 2 * math_functions.size());
}

TEST_CASE("other functions are none of the target's") {
  for (const char *name : {"", "f", "system", "fork", "memcpyf", "printff", "mallocf",
                           "llvm.nvvm.read.ptx.sreg.tid.x", "kiln_throw", "__nv_sinf", "_sin", "sin "}) {
    INFO(name);
    CHECK(!native_target().is_intrinsic(name));
  }
  CHECK(native_target().is_intrinsic("llvm.sin.f64"));
  CHECK(native_target().is_intrinsic("llvm.memcpy.p0.p0.i64"));
}

TEST_CASE("options for GPUs, and code for them, are refused") {
  CompilerConfig config = native_config();
  CHECK(native_target().prepare_job(config).ok());
  config.invariant_arguments = true;
  CHECK_THAT(message(native_target().prepare_job(config)), Contains("invariant_arguments"));
  config = native_config();
  config.coarsen = true;
  CHECK_THAT(message(native_target().prepare_job(config)), Contains("coarsen"));
  config = native_config();
  for (LinkedKind kind : {LinkedKind::Ptx, LinkedKind::Cubin, LinkedKind::Object}) {
    config.linked = {LinkedFile{.kind = kind, .name = "mine", .bytes = {}}};
    CHECK_THAT(message(native_target().prepare_job(config)), Contains("mine cannot be linked"));
  }
  config.linked = {LinkedFile{.kind = LinkedKind::Bitcode, .name = "mine.bc", .bytes = {}}};
  CHECK(native_target().prepare_job(config).ok());
}

TEST_CASE("a spec for another processor keeps what all targets have") {
  TargetSpec spec = NativeOptions{.cpu = "x86-64-v2", .features = "+avx2"};
  spec.fast_math = true;
  spec.contract = Contraction::On;
  const TargetSpec other = *native_target().for_architecture(spec, "x86-64-v3");
  CHECK(other.get<NativeOptions>().cpu == "x86-64-v3");
  CHECK(other.get<NativeOptions>().features.empty()); // they were the other processor's
  CHECK(other.fast_math);
  CHECK(other.contract == Contraction::On);
  for (const char *cpu : {"", "native", "x86-64-v3"}) {
    TargetSpec given = NativeOptions{.cpu = cpu};
    given.fast_math = true;
    given.contract = Contraction::Off;
    const auto checked = native_target().check(given);
    REQUIRE(checked.ok());
    CHECK(checked->fast_math);
    CHECK(checked->contract == Contraction::Off);
    CHECK(!checked->get<NativeOptions>().cpu.empty());
  }
  const std::string without = std::string("-") + host_feature;
  const auto host = native_target().check(NativeOptions()),
             less = native_target().check(NativeOptions{.cpu = "", .features = without});
  REQUIRE((host.ok() && less.ok()));
  CHECK_THAT(less->get<NativeOptions>().features,
             StartsWith(host->get<NativeOptions>().features) && EndsWith(without)); // the last word counts
}

TEST_CASE("code has the instructions of its level alone") {
  const std::string v2 = assembly_for("x86-64-v2"), v3 = assembly_for("x86-64-v3");
  CHECK_THAT(v2, Contains("xmm") && !Contains("ymm") && !Contains("zmm") && !Contains("vfmadd"));
  CHECK_THAT(v3, Contains("ymm") && Contains("vfmadd") && !Contains("zmm"));
}

TEST_CASE("the name of a CPU decides the architecture, on every host") {
  for (const char *cpu :
       {"", "native", "aarch64", "generic", "neoverse-v2", "apple-m1", "x86-64-v3", "znver3"}) {
    INFO(cpu);
    const auto checked = native_target().check(NativeOptions{.cpu = cpu});
    REQUIRE(checked.ok());
    CompilerConfig config = native_config();
    config.target = *checked;
    // LLVM itself says what its data layout is.
    Worker worker;
    const auto machine = worker.machine(machine_spec(native_target(), config));
    REQUIRE(machine.ok());
    CHECK((*machine)->createDataLayout().getStringRepresentation() == native_target().data_layout(*checked));
    CHECK((*machine)->getTargetTriple().str() == native_target().triple(*checked));
  }
  const auto triple = [](const char *cpu) {
    return native_target().triple(kiln::test::must(native_target().check(NativeOptions{.cpu = cpu})));
  };
  CHECK_THAT(triple("neoverse-v2"), StartsWith("aarch64-"));
  CHECK_THAT(triple("aarch64"), StartsWith("aarch64-"));
  CHECK_THAT(triple("x86-64-v3"), StartsWith("x86_64-"));
  CHECK_THAT(triple("znver3"), StartsWith("x86_64-"));
  CHECK(triple("generic") == triple(""));
}

TEST_CASE("loops for AArch64 use NEON, and SVE on a processor that has it") {
  const std::string generic = assembly_for("aarch64"), neoverse = assembly_for("neoverse-v2"),
                    apple = assembly_for("apple-m1");
  CHECK_THAT(generic, Contains(".4s") && Contains("fmla") && !Contains("whilelo"));
  CHECK_THAT(neoverse, Contains("fmla"));
  CHECK_THAT(apple, Contains(".4s") && !Contains("whilelo"));
}

TEST_CASE("values that a barrier divides: a thread's own, the block's, and a sum over the block") {
  // Each thread turns the block's numbers round through shared memory, twice as many times as the argument
  // says, and adds the block's number and its own from before.
  const std::string text = std::string(declarations) + R"(
@tile = internal addrspace(3) global [1024 x i64] undef, align 8
declare void @kiln.barrier()
define void @k(ptr %data, i64 %rounds) "kiln.entry" "kiln.kernel" {
  %x = call i32 @kiln.thread_idx.x()
  %b = call i32 @kiln.block_idx.x()
  %d = call i32 @kiln.block_dim.x()
  %begin = mul i32 %b, %d
  %at = add i32 %begin, %x
  %p = getelementptr i64, ptr %data, i32 %at
  %first = load i64, ptr %p
  %block = zext i32 %b to i64
  %last = sub i32 %d, 1
  %turned = sub i32 %last, %x
  %mine = getelementptr i64, ptr addrspace(3) @tile, i32 %x
  %other = getelementptr i64, ptr addrspace(3) @tile, i32 %turned
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %v = phi i64 [ %first, %0 ], [ %sum, %loop ]
  store i64 %v, ptr addrspace(3) %mine
  call void @kiln.barrier()
  %t = load i64, ptr addrspace(3) %other
  %sum = add i64 %t, %block
  call void @kiln.barrier()
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %end
end:
  %result = add i64 %sum, %first
  store i64 %result, ptr %p
  ret void
}
)";
  for (int level : {0, 2}) {
    CompilerConfig config = native_config();
    config.opt_level = level;
    Loaded loaded(native(text, config, ArtifactKind::Object));
    auto kernel = loaded.function<abi::NativeKernel>("k");
    Executor executor(ExecutorOptions{.threads = 2});
    for (uint32_t threads : {1u, 2u, 31u, 32u, 33u, 257u, 1024u})
      for (int64_t rounds : {1, 2, 5}) {
        constexpr uint32_t blocks = 3;
        std::vector<int64_t> data(blocks * threads), expected(data.size());
        std::iota(data.begin(), data.end(), 100);
        for (uint32_t b = 0; b < blocks; b++)
          for (uint32_t i = 0; i < threads; i++) {
            const uint32_t from = rounds % 2 ? threads - 1 - i : i;
            expected[b * threads + i] = data[b * threads + from] + rounds * b + data[b * threads + i];
          }
        void *at = data.data();
        void *args[] = {&at, &rounds};
        LaunchOutcome outcome;
        INFO(level << " " << threads << " " << rounds);
        REQUIRE(executor
                    .run(kernel, LaunchShape{{blocks, 1, 1}, {threads, 1, 1}, 0}, args,
                         1024 * sizeof(int64_t), outcome)
                    .ok());
        CHECK(data == expected);
      }
  }
}
