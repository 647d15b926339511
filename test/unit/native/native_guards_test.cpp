// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose work stands behind a condition on the thread's index: blocks in which it holds for all
// threads run a loop without it. Values at the borders, and what the loop looks like.
#include "native_fixture.h"

#include <functional>

namespace {

/// A kernel that adds 1 to out[position] of the threads for which the condition holds. `index` is text that
/// defines %index (i64, the position) and %in (i1) from %x, %y, %z, %b (block), %d (block size) and %n (i64),
/// %m (i32).
std::string guarded(const std::string &index) {
  return std::string(declarations) + R"(
define void @k(ptr %out, i64 %n, i32 %m) "kiln.entry" "kiln.kernel" {
  %x = call i32 @kiln.thread_idx.x()
  %y = call i32 @kiln.thread_idx.y()
  %z = call i32 @kiln.thread_idx.z()
  %b = call i32 @kiln.block_idx.x()
  %d = call i32 @kiln.block_dim.x()
)" + index +
         R"(
  br i1 %in, label %work, label %end
work:
  %p = getelementptr i32, ptr %out, i64 %index
  %old = load i32, ptr %p
  %new = add i32 %old, 1
  store i32 %new, ptr %p
  br label %end
end:
  ret void
}
)";
}

const std::string linear_index =
    "%bd = mul i32 %b, %d\n %i32 = add i32 %x, %bd\n %index = sext i32 %i32 to i64\n";

/// The text of the kernel's vectorised loops.
std::vector<std::string> vector_bodies(const std::string &ir) {
  std::vector<std::string> bodies;
  for (size_t at = ir.find("\nvector.body"); at != std::string::npos; at = ir.find("\nvector.body", at + 1))
    bodies.push_back(ir.substr(at, ir.find("\n\n", at + 1) - at));
  return bodies;
}

bool has_unmasked_body(const std::string &ir) {
  for (const std::string &body : vector_bodies(ir))
    if (body.find("masked.store") == std::string::npos && body.find("store <") != std::string::npos)
      return true;
  return false;
}

struct Shape {
  uint32_t x = 1, y = 1, z = 1;
};

/// The counts that a kernel leaves behind in `size` elements, from which it sees those from `origin` on.
std::vector<int32_t> counts(abi::NativeKernel kernel, Shape threads, uint32_t block, int64_t n, int32_t m,
                            size_t size, size_t origin = 0, uint64_t more = 0) {
  std::vector<int32_t> out(size, 0);
  void *pout = out.data() + origin;
  void *args[] = {&pout, &n, &m};
  abi::NativeThread state = thread_state(threads.x, threads.y, threads.z);
  state.block[0] = block;
  state.grid_dim[0] = UINT32_MAX;
  state.more = more;
  kernel(&state, args, 0, threads.x * threads.y * threads.z);
  return out;
}

const std::vector<uint32_t> widths{1, 2, 7, 8, 31, 64, 256};

} // namespace

TEST_CASE("a guard at the array's end is left out of blocks that lie before it") {
  for (const char *compare : {"slt", "ult", "sle", "ule"}) {
    const std::string text = guarded(linear_index + "%in = icmp " + compare + " i64 %index, %n");
    INFO(compare);
    CHECK(has_unmasked_body(native(text, native_config(), ArtifactKind::LlvmOpt)));
    const bool last_in = compare[2] == 'e';
    for (int level : {2, 3}) {
      CompilerConfig config = native_config();
      config.opt_level = level;
      Loaded loaded(native(text, config, ArtifactKind::Object));
      auto kernel = loaded.function<abi::NativeKernel>("k");
      for (uint32_t width : widths)
        for (uint32_t block : {0u, 1u, 3u})
          for (int64_t n :
               {int64_t(-1), int64_t(0), int64_t(1), int64_t(width) - 1, int64_t(width), int64_t(width) + 1,
                int64_t(4 * width) - 1, int64_t(4 * width), INT64_MAX, INT64_MIN}) {
            std::vector<int32_t> expected(4 * width, 0);
            for (uint32_t x = 0; x < width; ++x) {
              int64_t i = int64_t(block) * width + x;
              bool in = compare[0] == 'u' ? (last_in ? uint64_t(i) <= uint64_t(n) : uint64_t(i) < uint64_t(n))
                                          : (last_in ? i <= n : i < n);
              expected[size_t(i)] = in;
            }
            INFO(width << " threads, block " << block << ", n = " << n);
            CHECK(counts(kernel, {width}, block, n, 0, 4 * width) == expected);
          }
    }
  }
}

TEST_CASE("blocks that one call runs are guarded each") {
  Loaded loaded(
      native(guarded(linear_index + "%in = icmp slt i64 %index, %n"), native_config(), ArtifactKind::Object));
  auto kernel = loaded.function<abi::NativeKernel>("k");
  for (uint32_t width : {1u, 8u, 64u})
    for (uint32_t block : {0u, 1u, 2u})
      for (uint32_t more : {0u, 1u, 5u})
        for (int64_t n : {0, 1, 64, 65, 199, 200, 255, 256}) {
          std::vector<int32_t> expected(512, 0);
          for (uint32_t i = block * width; i < (block + more + 1) * width; ++i) expected[i] = int64_t(i) < n;
          INFO(width << " threads, from block " << block << " on " << more << " more, n = " << n);
          CHECK(counts(kernel, {width}, block, n, 0, 512, 0, more) == expected);
        }
}

TEST_CASE("an index that wraps within a block keeps its guard") {
  // x + m in 32 bits passes from the largest integer to the smallest one in the middle of the block.
  struct {
    const char *index;
    bool is_signed;
  } kinds[] = {
      {"%i32 = add i32 %x, %m\n %wide = sext i32 %i32 to i64\n %in = icmp slt i64 %wide, %n\n %index = zext i32 %x to i64\n",
       true},
      {"%i32 = add i32 %x, %m\n %wide = zext i32 %i32 to i64\n %in = icmp ult i64 %wide, %n\n %index = zext i32 %x to i64\n",
       false},
      {"%i32 = add i32 %x, %m\n %n32 = trunc i64 %n to i32\n %in = icmp slt i32 %i32, %n32\n %index = zext i32 %x to i64\n",
       true},
      {"%i32 = add i32 %x, %m\n %n32 = trunc i64 %n to i32\n %in = icmp ult i32 %i32, %n32\n %index = zext i32 %x to i64\n",
       false},
      {"%i8 = trunc i32 %x to i8\n %m8 = trunc i32 %m to i8\n %i = add i8 %i8, %m8\n %n8 = trunc i64 %n to i8\n %in = icmp slt i8 %i, %n8\n"
       " %index = zext i32 %x to i64\n",
       true}};
  for (size_t k = 0; k < std::size(kinds); ++k) {
    Loaded loaded(native(guarded(kinds[k].index), native_config(), ArtifactKind::Object));
    auto kernel = loaded.function<abi::NativeKernel>("k");
    for (uint32_t width : {8u, 64u, 256u})
      for (int32_t m : {0, 1, 100, 120, INT32_MAX - 300, INT32_MAX - 64, INT32_MAX - 63, INT32_MAX - 7,
                        INT32_MAX, INT32_MIN, -256, -64, -63, -1})
        for (int64_t n : {int64_t(0), int64_t(50), int64_t(127), int64_t(INT32_MAX) - 10, int64_t(INT32_MAX),
                          int64_t(INT32_MIN), int64_t(-1), int64_t(UINT32_MAX)}) {
          std::vector<int32_t> expected(width, 0);
          for (uint32_t x = 0; x < width; ++x) {
            uint32_t i = x + uint32_t(m);
            switch (k) {
            case 0: expected[x] = int64_t(int32_t(i)) < n; break;
            case 1: expected[x] = uint64_t(i) < uint64_t(n); break;
            case 2: expected[x] = int32_t(i) < int32_t(n); break;
            case 3: expected[x] = i < uint32_t(n); break;
            default: expected[x] = int8_t(i) < int8_t(n);
            }
          }
          INFO("kind " << k << ", " << width << " threads, m = " << m << ", n = " << n);
          CHECK(counts(kernel, {width}, 0, n, m, width) == expected);
        }
  }
}

TEST_CASE("a stride, equality, both borders, and a condition on y") {
  struct {
    const char *index;
    std::function<bool(int64_t x, int64_t y, int64_t n, int64_t m)> in;
  } kinds[] = {
      {"%t = mul i32 %x, -3\n %v = add i32 %t, %m\n %w = sext i32 %v to i64\n %in = icmp sgt i64 %w, %n\n",
       [](int64_t x, int64_t, int64_t n, int64_t m) { return m - 3 * x > n; }},
      {"%v = sext i32 %x to i64\n %in = icmp eq i64 %v, %n\n",
       [](int64_t x, int64_t, int64_t n, int64_t) { return x == n; }},
      {"%v = sext i32 %x to i64\n %in = icmp ne i64 %v, %n\n",
       [](int64_t x, int64_t, int64_t n, int64_t) { return x != n; }},
      {"%v = sext i32 %x to i64\n %lo = icmp sge i32 %x, %m\n %hi = icmp slt i64 %v, %n\n %in = select i1 %lo, i1 %hi, i1 false\n",
       [](int64_t x, int64_t, int64_t n, int64_t m) { return x >= m && x < n; }},
      {"%v = sext i32 %x to i64\n %lo = icmp slt i32 %x, %m\n %hi = icmp sge i64 %v, %n\n %out.of = or i1 %lo, %hi\n %in = xor i1 %out.of, true\n",
       [](int64_t x, int64_t, int64_t n, int64_t m) { return x >= m && x < n; }},
      {"%v = sext i32 %x to i64\n %lo = icmp slt i32 %y, %m\n %hi = icmp slt i64 %v, %n\n %in = and i1 %lo, %hi\n",
       [](int64_t x, int64_t y, int64_t n, int64_t m) { return y < m && x < n; }},
  };
  for (auto &kind : kinds) {
    const std::string position =
        "%zr = mul i32 %z, 3\n %r = add i32 %y, %zr\n %row = mul i32 %r, %d\n %i32 = add i32 %row, %x\n %index = zext i32 %i32 to i64\n";
    Loaded loaded(native(guarded(position + kind.index), native_config(), ArtifactKind::Object));
    auto kernel = loaded.function<abi::NativeKernel>("k");
    for (uint32_t width : {1u, 8u, 37u, 64u})
      for (int32_t m : {0, 1, 2, 3, 40, 300, INT32_MIN})
        for (int64_t n : {-1, 0, 1, 8, 36, 37, 63, 64, 200}) {
          if (m == INT32_MIN && &kind == kinds) continue; // wraps
          std::vector<int32_t> expected(width * 3 * 2, 0);
          for (uint32_t z = 0; z < 2; ++z)
            for (uint32_t y = 0; y < 3; ++y)
              for (uint32_t x = 0; x < width; ++x) expected[(z * 3 + y) * width + x] = kind.in(x, y, n, m);
          INFO(kind.index << width << " threads, m = " << m << ", n = " << n);
          CHECK(counts(kernel, {width, 3, 2}, 0, n, m, expected.size()) == expected);
        }
  }
}

TEST_CASE("a check that throws is left out of blocks in which it passes") {
  const std::string text = std::string(declarations) + R"(
define void @k(ptr %out, i64 %n, i32 %m) "kiln.entry" "kiln.kernel" {
  %x = call i32 @kiln.thread_idx.x()
  %b = call i32 @kiln.block_idx.x()
  %d = call i32 @kiln.block_dim.x()
  %bd = mul i32 %b, %d
  %i32 = add i32 %x, %bd
  %index = sext i32 %i32 to i64
  %in = icmp ult i64 %index, %n
  br i1 %in, label %work, label %bad
work:
  %p = getelementptr i32, ptr %out, i64 %index
  %old = load i32, ptr %p
  %new = add i32 %old, %m
  store i32 %new, ptr %p
  ret void
bad:
  call void @kiln.throw(i32 2, ptr @name, ptr @where)
  unreachable
}
)";
  CHECK(has_unmasked_body(native(text, native_config(), ArtifactKind::LlvmOpt)));
  Loaded loaded(native(text, native_config(), ArtifactKind::Object));
  auto kernel = loaded.function<abi::NativeKernel>("k");
  const uint32_t width = 128;
  for (uint32_t block : {0u, 1u})
    for (int64_t n : {0, 1, 100, 127, 128, 129, 200, 255, 256}) {
      std::vector<int32_t> out(2 * width, 0), expected(2 * width, 0);
      void *pout = out.data();
      int32_t m = 5;
      int64_t length = n;
      void *args[] = {&pout, &length, &m};
      abi::NativeThread state = thread_state(width, 1, 1);
      state.block[0] = block;
      state.grid_dim[0] = 2;
      abi::ExceptionRecord record{};
      jmp_buf jump;
      state.exception = &record;
      state.abort_thread = &jump;
      volatile uint32_t first = 0, thrown = 0;
      while (first < width) { // as the executor does it: a thread that throws ends, those behind it run
        if (setjmp(jump) == 0) {
          kernel(&state, args, first, width);
          break;
        }
        first = state.thread[0] + 1;
        thrown = thrown + 1;
      }
      uint32_t expected_thrown = 0;
      for (uint32_t x = 0; x < width; ++x) {
        int64_t i = int64_t(block) * width + x;
        if (i < n)
          expected[size_t(i)] = 5;
        else
          ++expected_thrown;
      }
      INFO("block " << block << ", n = " << n);
      CHECK(out == expected);
      CHECK(thrown == expected_thrown);
      CHECK(record.status == (expected_thrown ? 2u : 0u));
    }
}

TEST_CASE("loops of the kernel's own, more than one") {
  // Thread x adds 1 to the m elements from 100x on, and 2 to those from 100x + 50 on, as far as they lie
  // before n.
  auto loop = [](const std::string &name, const std::string &from, const std::string &to, int offset,
                 int add) {
    return name + ":\n %k" + name + " = phi i32 [ 0, " + from + " ], [ %next" + name + ", %end" + name +
           " ]\n %i" + name + " = add i32 %base, %k" + name + "\n %j" + name + " = add i32 %i" + name + ", " +
           std::to_string(offset) + "\n %w" + name + " = sext i32 %j" + name + " to i64\n %in" + name +
           " = icmp slt i64 %w" + name + ", %n\n br i1 %in" + name + ", label %work" + name + ", label %end" +
           name + "\nwork" + name + ":\n %p" + name + " = getelementptr i32, ptr %out, i64 %w" + name +
           "\n %old" + name + " = load i32, ptr %p" + name + "\n %new" + name + " = add i32 %old" + name +
           ", " + std::to_string(add) + "\n store i32 %new" + name + ", ptr %p" + name + "\n br label %end" +
           name + "\nend" + name + ":\n %next" + name + " = add i32 %k" + name + ", 1\n %more" + name +
           " = icmp slt i32 %next" + name + ", %m\n br i1 %more" + name + ", label %" + name + ", label %" +
           to + "\n";
  };
  const std::string text =
      std::string(declarations) +
      "define void @k(ptr %out, i64 %n, i32 %m) \"kiln.entry\" \"kiln.kernel\" {\nentry:\n"
      "%x = call i32 @kiln.thread_idx.x()\n %base = mul i32 %x, 100\n br label %A\n" +
      loop("A", "%entry", "B", 0, 1) + loop("B", "%endA", "done", 50, 2) + "done:\n ret void\n}\n";
  CHECK(has_unmasked_body(native(text, native_config(), ArtifactKind::LlvmOpt)));
  for (int level : {2, 3}) {
    CompilerConfig config = native_config();
    config.opt_level = level;
    Loaded loaded(native(text, config, ArtifactKind::Object));
    auto kernel = loaded.function<abi::NativeKernel>("k");
    for (int32_t m : {-5, 0, 1, 40, 64, 100, 130})
      for (int64_t n : {0, 1, 50, 63, 100, 149, 150, 163, 164, 350, 600}) {
        std::vector<int32_t> expected(600, 0);
        for (int64_t x = 0; x < 4; ++x)
          for (int64_t k = 0; k < std::max(m, 1); ++k) { // a loop tests at its end
            if (100 * x + k < n) expected[size_t(100 * x + k)] += 1;
            if (100 * x + 50 + k < n) expected[size_t(100 * x + 50 + k)] += 2;
          }
        INFO("m = " << m << ", n = " << n);
        CHECK(counts(kernel, {4}, 0, n, m, 600) == expected);
      }
  }
}

TEST_CASE("a kernel without a guard has one vectorised loop") {
  const std::string text = guarded(linear_index + "%in = or i1 true, false");
  std::string ir = native(text, native_config(), ArtifactKind::LlvmOpt);
  CHECK(vector_bodies(ir).size() == 1);
  CHECK(has_unmasked_body(ir));
  CHECK_THAT(ir, !Contains(".unguarded"));
}
