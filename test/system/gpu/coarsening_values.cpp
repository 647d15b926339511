// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coarsening.h"

#include <cmath>
#include <cstring>
#include <functional>

namespace kiln::gpu_test {

namespace {

/// Elements of an array in the host's memory, as bytes of one type.
struct Values {
  std::string type; ///< "Float32"
  size_t size = 4;
  std::vector<std::byte> bytes;
  size_t count() const { return bytes.size() / size; }
  template <class T> T at(size_t i) const {
    T value;
    std::memcpy(&value, &bytes[i * size], sizeof value);
    return value;
  }
  template <class T> void set(size_t i, T value) { std::memcpy(&bytes[i * size], &value, sizeof value); }
};

uint32_t noise(uint64_t seed) {
  seed = (seed + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  seed ^= seed >> 27;
  return uint32_t(seed * 0x94d049bb133111eb >> 32);
}

/// Numbers from 0 to 1, in the type's format; of integers, from 1 to `n`.
Values make(const std::string &type, size_t n, uint64_t seed) {
  Values v{type, type == "Float64" ? size_t(8) : type == "Float16" ? 2 : type == "UInt8" ? 1 : 4, {}};
  v.bytes.resize(n * v.size);
  for (size_t i = 0; i < n; i++) {
    const uint32_t random = noise(seed * 1000003 + i);
    const float unit = float(random >> 8) / float(1 << 24);
    if (type == "Float32")
      v.set(i, unit);
    else if (type == "Float64")
      v.set(i, double(unit) / 3);
    else if (type == "Float16") // the bits of 1/4 to 1, all of them numbers
      v.set(i, uint16_t(0x3400 + random % 0x0800));
    else if (type == "UInt8")
      v.set(i, uint8_t(random));
    else
      v.set(i, int32_t(random % n) + 1);
  }
  return v;
}

/// A kernel, what it takes, and what each element becomes.
struct Case {
  const char *name, *kernel;
  std::vector<std::string> arrays; ///< types; the first `written` are written to
  size_t written = 1;
  std::vector<Argument> scalars = {};
  bool is_coarse = true;
  /// What element `i` of `n` becomes, from the arrays before. Empty: only the two launches are compared.
  std::function<void(std::vector<Values> &to, const std::vector<Values> &from, size_t i, size_t n)> expected =
      {};
  bool takes_length = false; ///< as its last argument, an Int32
  bool any_place = false;    ///< its second entry takes arrays that are not aligned, too
};

float f(const std::vector<Values> &from, size_t array, size_t i) { return from[array].at<float>(i); }

std::vector<Case> cases() {
  const std::string single = "Float32", half = "Float16";
  const Argument three = Argument::scalar(3.1f);
  const float b1 = 0.9f, b2 = 0.999f, eta = 1e-3f, eps = 1e-8f;
  return {
      {"copy",
       "copy",
       {single, single},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t) { to[0].set(i, f(from, 1, i)); }},
      {"copy of doubles",
       "copy",
       {"Float64", "Float64"},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t) { to[0].set(i, from[1].template at<double>(i)); }},
      {"copy of halves",
       "copy",
       {half, half},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t) { to[0].set(i, from[1].template at<uint16_t>(i)); }},
      {"copy of bytes",
       "copy",
       {"UInt8", "UInt8"},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t) { to[0].set(i, from[1].template at<uint8_t>(i)); }},
      {"mul",
       "mul",
       {single, single},
       1,
       {three},
       true,
       [](auto &to, auto &from, size_t i, size_t) { to[0].set(i, 3.1f * f(from, 1, i)); }},
      {"add",
       "add",
       {single, single, single},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t) { to[0].set(i, f(from, 1, i) + f(from, 2, i)); }},
      {"add of halves", "add", {half, half, half}, 1, {}, true, {}},
      {"triad",
       "triad",
       {single, single, single},
       1,
       {three},
       true,
       [](auto &to, auto &from, size_t i, size_t) {
         to[0].set(i, std::fma(3.1f, f(from, 2, i), f(from, 1, i)));
       }},
      {"triad of doubles",
       "triad",
       {"Float64", "Float64", "Float64"},
       1,
       {Argument::scalar(3.1)},
       true,
       [](auto &to, auto &from, size_t i, size_t) {
         to[0].set(i, std::fma(3.1, from[2].template at<double>(i), from[1].template at<double>(i)));
       }},
      {"nstream",
       "nstream",
       {single, single, single},
       1,
       {three},
       true,
       [](auto &to, auto &from, size_t i, size_t) {
         to[0].set(i, f(from, 0, i) + std::fma(3.1f, f(from, 2, i), f(from, 1, i)));
       }},
      {"saxpy",
       "saxpy",
       {single, single},
       1,
       {three},
       true,
       [](auto &to, auto &from, size_t i, size_t) {
         to[0].set(i, std::fma(3.1f, f(from, 1, i), f(from, 0, i)));
       }},
      {"adam",
       "adam",
       {single, single, single},
       3,
       {Argument::scalar(b1), Argument::scalar(b2), Argument::scalar(eta), Argument::scalar(eps)},
       true,
       [=](auto &to, auto &from, size_t i, size_t) {
         // Of each sum of two products the first is exact (docs/design/emission.md).
         const float g = f(from, 0, i), m = std::fma(b1, f(from, 1, i), (1 - b1) * g),
                     v = std::fma(b2, f(from, 2, i), (1 - b2) * (g * g));
         to[1].set(i, m);
         to[2].set(i, v);
         to[0].set(i, m / (1 - b1) / (std::sqrt(v / (1 - b2)) + eps) * eta);
       }},
      {"doubles from singles",
       "widen",
       {"Float64", single},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t) { to[0].set(i, double(f(from, 1, i))); }},
      {"under a condition",
       "positive",
       {single, single},
       1,
       {},
       false,
       [](auto &to, auto &from, size_t i, size_t) {
         if (f(from, 1, i) > 0.5f) to[0].set(i, f(from, 1, i));
       }},
      {"around",
       "around",
       {single, single},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t n) {
         if (i > 0 && i + 1 < n) to[0].set(i, f(from, 1, i - 1) + f(from, 1, i) + f(from, 1, i + 1));
       },
       true},
      {"gather",
       "gather",
       {single, single, "Int32"},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t) {
         to[0].set(i, f(from, 1, size_t(from[2].template at<int32_t>(i)) - 1));
       }},
      {"branches", "branches", {single, single}, 1, {}, true, {}},
      {"two",
       "two",
       {single, single, single, single},
       4,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t) {
         to[0].set(i, f(from, 1, i) + 1.0f);
         to[2].set(i, f(from, 3, i) * 2.0f);
       }},
      {"sums, an entry for arrays that are apart",
       "sums",
       {single, single},
       1,
       {},
       true,
       [](auto &to, auto &from, size_t i, size_t n) {
         float sum = f(from, 0, i);
         for (size_t k = 1; k <= 16; k++) sum += f(from, 1, (i + k) % n);
         to[0].set(i, sum);
       },
       true,
       true},
      {"checked",
       "checked",
       {single, single},
       1,
       {},
       false,
       [](auto &to, auto &from, size_t i, size_t) { to[0].set(i, f(from, 1, i)); }},
  };
}

/// How the arrays lie, and the launch.
struct Layout {
  const char *name;
  size_t n;
  uint32_t blocks, threads;
  size_t shift = 0; ///< elements from a place aligned to 256 bytes to each array's first
  bool may_coarsen = true;
};

/// A case's kernel on the device, with memory for each array: elements, and bytes around them that stay.
class Bench {
public:
  Bench(Test &test, Session &session, const Case &of, const Layout &layout)
      : t_(test), case_(of), layout_(layout), stream_(test.take(session.stream(test.device))) {
    for (size_t i = 0; i < of.arrays.size(); i++) {
      from_.push_back(make(of.arrays[i], layout.n, 7 * i + 1));
      buffers_.push_back(test.take(stream_.allocate(from_[i].bytes.size() + 2 * margin)));
    }
    CompilerConfig config;
    config.coarsen = true;
    std::string call = std::string(of.kernel) + "(";
    for (const std::string &type : of.arrays)
      call += (call.back() == '(' ? "" : ", ") + ("CuDeviceVector{" + type + ",1}");
    for (const Argument &scalar : scalars()) call += ", " + scalar.type;
    kernel_ = test.take(session.prepare(call + ")", config, test.device));
  }

  /// The arrays behind a launch. `bytes` with what lies around them.
  std::vector<Values> run(bool coarsen) {
    std::vector<Argument> all;
    for (size_t i = 0; i < buffers_.size(); i++) {
      t_.done(stream_.fill(buffers_[i].data(), 0xa5, buffers_[i].bytes()));
      auto *data = static_cast<std::byte *>(buffers_[i].data()) + offset(i);
      t_.done(stream_.copy(data, from_[i].bytes.data(), from_[i].bytes.size()));
      all.push_back(Argument::array_of(from_[i].type, data, {int64_t(layout_.n)}, from_[i].size));
    }
    for (Argument &scalar : scalars()) all.push_back(std::move(scalar));
    std::vector<const void *> pointers;
    for (const Argument &argument : all) pointers.push_back(argument.bytes.data());
    t_.done(stream_.launch(kernel_, {.blocks = {layout_.blocks, 1, 1}, .threads = {layout_.threads, 1, 1}},
                           pointers, {.coarsen = coarsen}));
    std::vector<Values> to = from_;
    for (size_t i = 0; i < buffers_.size(); i++) {
      to[i].bytes.resize(buffers_[i].bytes());
      t_.done(stream_.copy(to[i].bytes.data(), buffers_[i].data(), buffers_[i].bytes()));
    }
    t_.done(stream_.synchronize());
    return to;
  }

  /// What the launch has to leave, by this program.
  std::vector<Values> expected() const {
    std::vector<Values> to = from_, whole = from_;
    const size_t threads = size_t(layout_.blocks) * layout_.threads;
    for (size_t i = 0; i < std::min(layout_.n, threads); i++) case_.expected(to, from_, i, layout_.n);
    for (size_t i = 0; i < to.size(); i++) {
      whole[i].bytes.assign(buffers_[i].bytes(), std::byte(0xa5));
      std::memcpy(&whole[i].bytes[offset(i)], to[i].bytes.data(), to[i].bytes.size());
    }
    return whole;
  }

private:
  static constexpr size_t margin = 512;
  size_t offset(size_t array) const { return margin / 2 + layout_.shift * from_[array].size; }
  std::vector<Argument> scalars() const {
    std::vector<Argument> all = case_.scalars;
    if (case_.takes_length) all.push_back(Argument::scalar(int32_t(layout_.n)));
    return all;
  }
  Test &t_;
  const Case &case_;
  const Layout &layout_;
  Stream stream_;
  std::vector<Values> from_;
  std::vector<Buffer> buffers_;
  Kernel kernel_;
};

bool are_equal(const std::vector<Values> &a, const std::vector<Values> &b) {
  for (size_t i = 0; i < a.size(); i++)
    if (a[i].bytes != b[i].bytes) return false;
  return true;
}

std::string first_difference(const std::vector<Values> &a, const std::vector<Values> &b) {
  for (size_t i = 0; i < a.size(); i++)
    for (size_t at = 0; at < a[i].bytes.size(); at++)
      if (a[i].bytes[at] != b[i].bytes[at])
        return fmt::format("array {}, byte {} of {}: {:02x} and {:02x}", i + 1, at, a[i].bytes.size(),
                           unsigned(a[i].bytes[at]), unsigned(b[i].bytes[at]));
  return {};
}

} // namespace

void coarse_values(Test &t) {
  const Layout layouts[] = {{"one element", 1, 1, 32},
                            {"less than a warp", 19, 1, 32},
                            {"an odd number", 10007, 40, 256},
                            {"blocks that no factor divides", 100003, 1043, 96},
                            {"fewer threads than elements", 5000, 37, 64},
                            {"more threads than elements", 4099, 100, 128},
                            {"1,024 threads a block", (1 << 20) + 5, 1025, 1024},
                            {"not aligned", 10007, 40, 256, 1, false},
                            {"2^25 elements and three", (1 << 25) + 3, (1 << 17) + 1, 256}};
  for (const Case &each : cases())
    for (const Layout &layout : layouts) {
      if (layout.n > (1 << 21) && std::string_view(each.name) != "saxpy" &&
          std::string_view(each.name) != "adam")
        continue;
      Bench bench(t, *t.session, each, layout);
      const std::vector<Values> plain = bench.run(false);
      const uint64_t before = coarse_launches(*t.session);
      const std::vector<Values> coarse = bench.run(true);
      const bool took = coarse_launches(*t.session) == before + 1,
                 wanted = each.is_coarse && (layout.may_coarsen || each.any_place);
      const bool same = are_equal(plain, coarse);
      const bool right = !each.expected || are_equal(coarse, bench.expected());
      t.check(fmt::format("{}, {}", each.name, layout.name).c_str(), same && right && took == wanted,
              same && right && took == wanted
                  ? std::string()
                  : fmt::format("{}; as written {}; expected {}", took ? "coarse" : "as written",
                                same ? "equal" : first_difference(coarse, plain),
                                right ? "equal" : first_difference(coarse, bench.expected())));
    }
}

} // namespace kiln::gpu_test
