// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps on the CPU or on a GPU: gpu_hopper EXAMPLES [cuda]. Copies of boxes in every layout, and the
// matrix product of docs/examples/hopper_matmul.jl, against the same worked out here. One line a check;
// status 0 all right, 1 something is wrong, 77 there is no such GPU.
#include <kiln/kiln.h>
#include <kiln/tensor_map.h>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <random>

namespace kiln::gpu_test {
namespace {

constexpr const char *source = R"(using CUDA
# A box comes to shared memory, is shown byte by byte, and goes to another array.
function carry(to, from, shown, at, put, bytes)
  memory = Hopper.align_pointer(pointer(CuDynamicSharedArray(UInt8, 1)), Val(1024))
  ready = pointer(CuStaticSharedArray(UInt64, 1))
  i = threadIdx().x
  if i == 1
    Hopper.tensor_map_prefetch(from)
    Hopper.mbarrier_init(ready, 1)
    Hopper.fence_mbarrier_init()
  end
  sync_threads()
  tile = of_elements(from, memory)
  if i == 1
    Hopper.mbarrier_arrive_expect_tx(ready, bytes)
    Hopper.tensor_load(tile, from, at, ready)
  end
  Hopper.mbarrier_wait_parity(ready, 0)
  for k in i:blockDim().x:bytes
    shown[k] = unsafe_load(memory, k)
  end
  Hopper.fence_proxy_async_shared()
  sync_threads()
  if i == 1
    Hopper.tensor_store(to, put, tile)
    Hopper.bulk_commit()
    Hopper.bulk_wait()
  end
  return
end
of_elements(::Hopper.TensorMap{T}, p) where {T} = reinterpret(LLVMPtr{T,3}, p)

# Every thread's number, added to a box by two blocks.
function tally(to, at)
  memory = Hopper.align_pointer(pointer(CuDynamicSharedArray(Float32, 1)), Val(128))
  unsafe_store!(memory, Float32(threadIdx().x), threadIdx().x)
  Hopper.fence_proxy_async_shared()
  sync_threads()
  if threadIdx().x == 1
    Hopper.tensor_add(to, at, memory)
    Hopper.bulk_commit()
    Hopper.bulk_wait()
  end
  return
end
)";

struct Test {
  std::unique_ptr<Session> session;
  Device device;
  Stream stream;
  CompilerConfig config;
  int failed = 0;

  void check(const std::string &what, const std::string &wrong) {
    failed += !wrong.empty();
    std::printf("%s: %s%s%s\n", wrong.empty() ? "ok" : "WRONG", what.c_str(), wrong.empty() ? "" : ": ",
                wrong.c_str());
    std::fflush(stdout);
  }
  template <class T> T take(Result<T> result) {
    if (result.ok()) return std::move(*result);
    std::printf("WRONG: %s\n", result.error().what().c_str());
    std::fflush(stdout);
    std::_Exit(1);
  }
  void done(Result<void> result) { (void)take(result.ok() ? Result<int>(0) : Result<int>(result.error())); }

  Buffer to_device(const std::vector<std::byte> &bytes) {
    Buffer buffer = take(stream.allocate(bytes.size()));
    done(stream.copy(buffer.data(), bytes.data(), bytes.size()));
    done(stream.synchronize());
    return buffer;
  }
  std::vector<std::byte> from_device(const Buffer &buffer) {
    std::vector<std::byte> bytes(buffer.bytes());
    done(stream.copy(bytes.data(), buffer.data(), bytes.size()));
    done(stream.synchronize());
    return bytes;
  }
};

struct Case {
  const char *element;
  uint32_t bytes;
  std::vector<uint64_t> lengths, strides;
  std::vector<uint32_t> box;
  uint32_t swizzle;
  std::vector<int32_t> at, put;
  bool nan = false;
};

std::vector<uint64_t> strides_of(const Case &c) {
  std::vector<uint64_t> strides{c.bytes};
  for (size_t i = 0; i + 1 < c.lengths.size(); i++)
    strides.push_back(c.strides.empty() ? strides.back() * c.lengths[i] : c.strides[i]);
  return strides;
}

/// Where element e of a box at `at` lies in the array; -1: outside.
int64_t place(const Case &c, const std::vector<int32_t> &at, uint64_t e) {
  const std::vector<uint64_t> strides = strides_of(c);
  int64_t offset = 0;
  for (size_t i = 0; i < c.box.size(); i++) {
    const int64_t x = at[i] + int64_t(e % c.box[i]);
    if (x < 0 || x >= int64_t(c.lengths[i])) return -1;
    offset += x * int64_t(strides[i]);
    e /= c.box[i];
  }
  return offset;
}

Argument tuple_of(const std::vector<int32_t> &values) {
  Argument a{"Tuple{", std::vector<std::byte>(values.size() * 4)};
  for (size_t i = 0; i < values.size(); i++) a.type += i ? ", Int32" : "Int32";
  a.type += "}";
  std::memcpy(a.bytes.data(), values.data(), a.bytes.size());
  return a;
}

void carry(Test &t, const Case &c, std::mt19937 &random) {
  const std::string name = fmt::format("{} of {} dimensions, swizzle {}{}", c.element, c.lengths.size(),
                                       c.swizzle, c.nan ? ", NaN" : "");
  const std::vector<uint64_t> strides = strides_of(c);
  const uint64_t size = strides.back() * c.lengths.back();
  uint64_t count = 1;
  for (uint32_t n : c.box) count *= n;
  std::vector<std::byte> from(size), to(size), shown(count * c.bytes);
  for (std::byte &b : from) b = std::byte(random() & 0x3f); // no NaN
  Buffer source_memory = t.to_device(from), target_memory = t.to_device(to),
         shown_memory = t.to_device(shown);
  TensorMapOptions options{c.element, source_memory.data(), c.lengths, c.strides, c.box, c.swizzle, c.nan};
  TensorMap source_map = t.take(TensorMap::make(t.device, options));
  options.data = target_memory.data();
  TensorMap target_map = t.take(TensorMap::make(t.device, options));
  t.done(t.session->launch(
      t.stream, "carry", {.threads = {64, 1, 1}, .shared_bytes = count * c.bytes + 1024},
      std::vector<Argument>{target_map.argument(), source_map.argument(),
                            Argument::array(shown_memory.as<uint8_t>(), {int64_t(shown.size())}),
                            tuple_of(c.at), tuple_of(c.put), Argument::scalar(int64_t(shown.size()))},
      t.config));
  t.done(t.stream.synchronize());
  std::vector<std::byte> wanted(to.size());
  const float nan = NAN;
  for (uint64_t e = 0; e < count; e++) {
    const int64_t at = place(c, c.at, e), put = place(c, c.put, e);
    std::byte value[8] = {};
    if (at >= 0)
      std::memcpy(value, &from[size_t(at)], c.bytes);
    else if (c.nan)
      std::memcpy(value, &nan, c.bytes); // of Float32 alone
    uint64_t in_shared = e * c.bytes;
    if (c.swizzle) in_shared ^= (in_shared >> 7 & (c.swizzle / 16 - 1)) << 4;
    std::memcpy(&shown[in_shared], value, c.bytes);
    if (put >= 0) std::memcpy(&wanted[size_t(put)], value, c.bytes);
  }
  auto differ = [&](const std::vector<std::byte> &got, const std::vector<std::byte> &expected) {
    for (size_t i = 0; i < got.size(); i += c.bytes) {
      float x = 0, y = 0;
      if (c.nan) std::memcpy(&x, &got[i], 4), std::memcpy(&y, &expected[i], 4);
      if (c.nan && std::isnan(x) && std::isnan(y)) continue; // any NaN
      if (std::memcmp(&got[i], &expected[i], c.bytes)) return fmt::format("differs at byte {}", i);
    }
    return std::string();
  };
  t.check(name + ", loaded", differ(t.from_device(shown_memory), shown));
  t.check(name + ", stored", differ(t.from_device(target_memory), wanted));
}

/// The CPU says what an H200 would not take: there it costs the context.
void refused_places(Test &t) {
  std::vector<std::byte> bytes(64 * 8 * 4);
  Buffer memory = t.to_device(bytes);
  TensorMap map = t.take(TensorMap::make(t.device, {"Float32", memory.data(), {64, 8}, {}, {32, 2}}));
  for (const std::vector<int32_t> &put : {std::vector<int32_t>{-8, 0}, {0, -1}, {2, 0}}) {
    Result<void> done = t.session->launch("tally", {.threads = {64, 1, 1}, .shared_bytes = 512},
                                          std::vector<Argument>{map.argument(), tuple_of(put)}, t.config);
    const std::string text = done.ok() ? "no error" : done.error().what();
    t.check(fmt::format("refused: written at ({}, {})", put[0], put[1]),
            text.find("ArgumentError") == std::string::npos ? text : "");
  }
}

void tally(Test &t) {
  std::vector<std::byte> zeros(40 * 8 * sizeof(float));
  Buffer memory = t.to_device(zeros);
  TensorMap map = t.take(TensorMap::make(t.device, {"Float32", memory.data(), {40, 8}, {}, {32, 2}}));
  t.done(t.session->launch(t.stream, "tally",
                           {.blocks = {2, 1, 1}, .threads = {64, 1, 1}, .shared_bytes = 512},
                           std::vector<Argument>{map.argument(), tuple_of({12, 3})}, t.config));
  t.done(t.stream.synchronize());
  std::vector<std::byte> got = t.from_device(memory);
  std::string wrong;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 40; x++) {
      const bool inside = x >= 12 && (y == 3 || y == 4);
      const float wanted = inside ? 2 * float(x - 12 + 32 * (y - 3) + 1) : 0;
      float value = 0;
      std::memcpy(&value, &got[size_t(40 * y + x) * 4], 4);
      if (value != wanted) wrong = fmt::format("({}, {}) is {}, not {}", x, y, value, wanted);
    }
  t.check("tensor_add by two blocks", wrong);
}

uint16_t half_of(int x, bool bfloat) { // exact for small integers
  const uint32_t bits = std::bit_cast<uint32_t>(float(x));
  if (bfloat) return uint16_t(bits >> 16);
  return x == 0
             ? 0
             : uint16_t((bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff));
}

/// C = A * B of small integers: sums are exact in Float32, and as BFloat16 rounded once.
void product(Test &t, bool bfloat, int rows, int columns, int depth, std::mt19937 &random) {
  std::vector<int> a(size_t(rows) * size_t(depth)), b(size_t(depth) * size_t(columns));
  auto bytes_of = [&](std::vector<int> &matrix) {
    std::vector<std::byte> bytes(matrix.size() * 2);
    for (size_t i = 0; i < matrix.size(); i++) {
      matrix[i] = int(random() % 9) - 4;
      const uint16_t x = half_of(matrix[i], bfloat);
      std::memcpy(&bytes[2 * i], &x, 2);
    }
    return bytes;
  };
  Buffer memory_a = t.to_device(bytes_of(a)), memory_b = t.to_device(bytes_of(b)),
         memory_c = t.to_device(std::vector<std::byte>(size_t(rows) * size_t(columns) * (bfloat ? 2 : 4)));
  const char *element = bfloat ? "BFloat16" : "Float16";
  TensorMap map_a = t.take(TensorMap::make(
      t.device, {element, memory_a.data(), {uint64_t(rows), uint64_t(depth)}, {}, {64, 64}, 128}));
  TensorMap map_b = t.take(TensorMap::make(
      t.device, {element, memory_b.data(), {uint64_t(depth), uint64_t(columns)}, {}, {64, 128}, 128}));
  t.done(t.session->launch(
      t.stream, "hopper_matmul",
      {.blocks = {3, 1, 1}, .threads = {288, 1, 1}, .shared_bytes = 4 * 49152 + 1024},
      std::vector<Argument>{Argument::array_of(bfloat ? "BFloat16" : "Float32", memory_c.data(),
                                               {rows, columns}, bfloat ? 2 : 4),
                            map_a.argument(), map_b.argument(), Argument::scalar(int32_t(depth))},
      t.config));
  t.done(t.stream.synchronize());
  std::vector<std::byte> got = t.from_device(memory_c);
  std::string wrong;
  for (int j = 0; j < columns && wrong.empty(); j++)
    for (int i = 0; i < rows; i++) {
      int sum = 0;
      for (int k = 0; k < depth; k++) sum += a[size_t(i + k * rows)] * b[size_t(k + j * depth)];
      const size_t at = size_t(i + j * rows);
      if (bfloat) {
        uint32_t bits = std::bit_cast<uint32_t>(float(sum)); // to nearest, ties to even
        bits += 0x7fff + (bits >> 16 & 1);
        uint16_t x = 0;
        std::memcpy(&x, &got[2 * at], 2);
        if (x != bits >> 16)
          wrong = fmt::format("({}, {}) has the bits {:04x}, not {:04x}", i, j, x, bits >> 16);
      } else {
        float x = 0;
        std::memcpy(&x, &got[4 * at], 4);
        if (x != float(sum)) wrong = fmt::format("({}, {}) is {}, not {}", i, j, x, sum);
      }
      if (!wrong.empty()) break;
    }
  t.check(fmt::format("{} x {} x {} of {}", rows, columns, depth, element), wrong);
}

void refusals(Test &t) {
  alignas(64) static std::byte memory[4096];
  auto refused = [&](const TensorMapOptions &options, const char *word) {
    Result<TensorMap> map = TensorMap::make(t.device, options);
    const std::string text = map.ok() ? "no error" : map.error().what();
    t.check(fmt::format("refused: {}", word), text.find(word) == std::string::npos ? text : "");
  };
  refused({"Float128", memory, {64}, {}, {16}}, "Float128 is no type");
  refused({"Float32", memory, {64, 1, 1, 1, 1, 1}, {}, {16, 1, 1, 1, 1, 1}}, "6 dimensions");
  refused({"Float32", memory, {64, 2}, {}, {16}}, "a box of 1 dimensions");
  refused({"Float32", memory + 8, {64}, {}, {16}}, "multiple of 16");
  refused({"Float32", memory, {63, 2}, {}, {16, 2}}, "the stride of dimension 2 is 252 bytes");
  refused({"Float32", memory, {64}, {}, {300}}, "a box of 300 elements");
  refused({"Float32", memory, {64}, {}, {3}}, "rows have 12 bytes");
  refused({"Float32", memory, {64}, {}, {16}, 128}, "swizzled over 128");
  refused({"Float32", memory, {64}, {}, {16}, 48}, "a swizzle over 48");
  refused({"Int32", memory, {64}, {}, {16}, 0, true}, "has no NaN");
  t.check("refused: an empty device",
          TensorMap::make(Device(), {"Float32", memory, {64}, {}, {16}}).ok() ? "no error" : "");
}

int run(const std::string &examples, bool on_gpu) {
  Test t;
  t.session = t.take(Session::open());
  if (on_gpu) {
    Result<Device> gpu = t.session->gpu();
    if (!gpu.ok() || gpu->info().sm != 90) {
      std::printf("skipped: no GPU of compute capability 9.0\n");
      return 77;
    }
    t.device = *gpu;
    t.config.target = PtxOptions{.sm = 90, .arch_specific = true, .max_threads = {288, 1, 1}};
  } else {
    t.device = t.session->cpu();
  }
  t.stream = t.take(t.session->stream(t.device));
  (void)t.take(t.session->load("hopper_test.jl", source));
  (void)t.take(t.session->load_file(examples + "/hopper_matmul.jl"));
  std::mt19937 random(7);
  for (const Case &c :
       {Case{"Float32", 4, {100}, {}, {32}, 0, {80}, {64}},
        Case{"Float32", 4, {100}, {}, {64}, 0, {60}, {4}, true},
        Case{"Float16", 2, {40, 20}, {96}, {32, 8}, 64, {20, -3}, {8, 15}},
        Case{"BFloat16", 2, {64, 64}, {}, {64, 24}, 128, {0, 30}, {16, 45}},
        Case{"Int32", 4, {12, 9, 5}, {}, {8, 4, 3}, 32, {3, -1, 3}, {8, 2, 3}},
        Case{"Float64", 8, {6, 4, 3, 3}, {}, {4, 3, 2, 2}, 0, {1, 2, 0, 2}, {0, 0, 0, 0}},
        Case{"UInt8", 1, {32, 3, 3, 3, 3}, {}, {16, 2, 2, 2, 2}, 0, {9, 2, 1, 0, -1}, {16, 1, 1, 1, 1}}})
    carry(t, c, random);
  tally(t);
  product(t, false, 256, 128, 64, random);
  product(t, false, 512, 384, 384, random);
  product(t, true, 256, 256, 320, random);
  refusals(t);
  if (!on_gpu) refused_places(t);
  std::printf("%d wrong\n", t.failed);
  return t.failed ? 1 : 0;
}

} // namespace
} // namespace kiln::gpu_test

int main(int argc, char **argv) {
  if (argc < 2) {
    std::printf("gpu_hopper EXAMPLES [cuda]\n");
    return 2;
  }
  return kiln::gpu_test::run(argv[1], argc > 2);
}
