// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// einsum on the CPU: the cases of lightning-thunder issue 193 and others, in each element type, against a sum
// over all values of all labels. Values are small integers, so that only the last rounding counts.
#include "einsum.h"
#include "spec.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>

using namespace seeds;
using Sizes = std::vector<int64_t>;

namespace {

double round_to(Dtype dtype, double x) {
  if (dtype == Dtype::F32 || dtype == Dtype::F64 || x == 0) return x;
  const int digits = dtype == Dtype::F16 ? 11 : 8; // these are in the range of both
  const double unit = std::ldexp(1.0, std::ilogb(x) - digits + 1);
  return std::nearbyint(x / unit) * unit;
}

uint64_t encode(Dtype dtype, double x) {
  if (dtype == Dtype::F64) return std::bit_cast<uint64_t>(x);
  const uint32_t bits = std::bit_cast<uint32_t>(float(x));
  if (dtype == Dtype::F32) return bits;
  if (dtype == Dtype::BF16) return bits >> 16;
  if (x == 0) return 0;
  return (bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 127 + 15) << 10) | (bits >> 13 & 0x3ff);
}

double decode(Dtype dtype, uint64_t raw) {
  if (dtype == Dtype::F64) return std::bit_cast<double>(raw);
  if (dtype == Dtype::F32) return std::bit_cast<float>(uint32_t(raw));
  if (dtype == Dtype::BF16) return std::bit_cast<float>(uint32_t(raw) << 16);
  if ((raw & 0x7fff) == 0) return 0;
  return std::bit_cast<float>(
      uint32_t((raw & 0x8000) << 16 | ((raw >> 10 & 31) + 127 - 15) << 23 | (raw & 0x3ff) << 13));
}

struct Array {
  Dtype dtype;
  Sizes sizes;
  std::vector<double> values;
  std::vector<std::byte> bytes;
  size_t width() const { return dtype == Dtype::F64 ? 8 : dtype == Dtype::F32 ? 4 : 2; }
  Array(Dtype dtype, Sizes sizes, unsigned salt) : dtype(dtype), sizes(std::move(sizes)) {
    size_t count = 1;
    for (int64_t n : this->sizes) count *= size_t(n);
    bytes.resize(count * width(), std::byte(0xff)); // not a number, until it is written
    for (size_t i = 0; i < count && salt; i++) {
      values.push_back(double((i * 7 + i / 5 + salt) % 5) - 2);
      const uint64_t raw = encode(dtype, values[i]);
      std::memcpy(&bytes[i * width()], &raw, width());
    }
  }
  double at(size_t i) const {
    uint64_t raw = 0;
    std::memcpy(&raw, &bytes[i * width()], width());
    return decode(dtype, raw);
  }
  Tensor tensor() {
    Tensor t{bytes.data(), uint32_t(sizes.size()), {}};
    std::copy(sizes.begin(), sizes.end(), t.sizes.begin());
    return t;
  }
  double value(const std::string &labels, const std::map<char, int64_t> &at) const {
    size_t i = 0;
    for (size_t d = 0; d < labels.size(); d++)
      i = i * size_t(sizes[d]) + (sizes[d] == 1 ? 0 : size_t(at.at(labels[d])));
    return values[i];
  }
};

/// Calls body for all values of the labels from `first` on.
template <class Body>
void over(const std::string &labels, size_t first, const std::map<char, int64_t> &size,
          std::map<char, int64_t> &at, const Body &body) {
  if (first == labels.size()) return body();
  for (int64_t i = 0; i < size.at(labels[first]); i++) {
    at[labels[first]] = i;
    over(labels, first + 1, size, at, body);
  }
}

struct Case {
  std::string spec, a, b, out; ///< as it is given, and the labels of each array
  Sizes sizes_a, sizes_b;
};

void check(Einsum &einsum, kiln::Stream &stream, const Case &c, Dtype dtype) {
  INFO(c.spec << " type " << int(dtype));
  Array a(dtype, c.sizes_a, 1), b(dtype, c.sizes_b, 3);
  std::map<char, int64_t> size, at;
  auto note = [&](const std::string &labels, const Sizes &sizes) {
    for (size_t d = 0; d < labels.size(); d++) size[labels[d]] = std::max(size[labels[d]], sizes[d]);
  };
  note(c.a, c.sizes_a);
  note(c.b, c.sizes_b);
  std::string summed;
  for (auto [label, n] : size)
    if (c.out.find(label) == std::string::npos) summed += label;
  Sizes wanted;
  for (char l : c.out) wanted.push_back(size[l]);
  auto shape = einsum.shape(c.spec, a.tensor(), b.tensor());
  REQUIRE(shape.ok());
  REQUIRE(Sizes(shape->sizes.begin(), shape->sizes.begin() + shape->rank) == wanted);
  Array out(dtype, wanted, 0);
  auto done = einsum(c.spec, dtype, out.tensor(), a.tensor(), b.tensor());
  if (!done.ok()) FAIL(done.error().what());
  REQUIRE(stream.synchronize().ok());
  size_t i = 0, wrong = 0;
  over(c.out, 0, size, at, [&] {
    double sum = 0;
    over(summed, 0, size, at, [&] { sum += a.value(c.a, at) * (c.b.empty() ? 1 : b.value(c.b, at)); });
    wrong += out.at(i++) != round_to(dtype, sum);
  });
  CHECK(wrong == 0);
}

const int64_t n = 16;
const Case cases[] = {
    {"bij, jk", "bij", "jk", "bik", {2, n, n}, {n, n}},
    {"bij, jk", "bij", "jk", "bik", {2, n, 1}, {n, n}},
    {"bij, jk", "bij", "jk", "bik", {2, n, n}, {1, n}},
    {"bijk,bklj->bli", "bijk", "bklj", "bli", {2, 8, n, n}, {2, n, 8, n}},
    {"bijk,bklj->bli", "bijk", "bklj", "bli", {2, 8, n, 1}, {2, n, 8, n}},
    {"bijk,bklj->bli", "bijk", "bklj", "bli", {2, 8, n, n}, {2, n, 8, 1}},
    {"ij,ij->", "ij", "ij", "", {5, 7}, {5, 7}}, // to one number
    {"i,j->ji", "i", "j", "ji", {3}, {40}},      // an outer product
    {"ii->i", "ii", "", "i", {9, 9}, {}},        // a diagonal
    {"ij->", "ij", "", "", {30, 3}, {}},
    {"ba", "ba", "", "ab", {3, 5}, {}},             // implicit: alphabetical
    {"ij,jk", "ij", "jk", "ik", {130, 3}, {3, 140}} // one thread an element
};

} // namespace

TEST_CASE("einsum computes the sum over all labels in every element type") {
  auto opened = kiln::Session::open();
  REQUIRE(opened.ok());
  kiln::Session &session = **opened;
  kiln::Stream stream = session.stream();
  Einsum einsum(session, session.cpu(), stream);
  for (Dtype dtype : {Dtype::F16, Dtype::BF16, Dtype::F32, Dtype::F64})
    for (const Case &c : cases) check(einsum, stream, c, dtype);
  const size_t compiled = einsum.compiled();
  for (const Case &c : cases) check(einsum, stream, c, Dtype::F32);
  CHECK(einsum.compiled() == compiled); // a second call finds its kernel
}

TEST_CASE("a specification that is none says why") {
  for (auto [text, why] : {std::pair{"ij,jk,kl", "more than two"},
                           {"i...,j", "ellipsis"},
                           {"ij->k", "in no operand"},
                           {"ij->ii", "stands twice"},
                           {"i1", "is no label"},
                           {"abcdefghi", "at most 8"}}) {
    auto spec = read_spec(text);
    REQUIRE(!spec.ok());
    CHECK(spec.error().what().find(why) != std::string::npos);
  }
}

TEST_CASE("arrays that do not fit a specification are a usage error") {
  auto opened = kiln::Session::open();
  REQUIRE(opened.ok());
  kiln::Stream stream = (*opened)->stream();
  Einsum einsum(**opened, (*opened)->cpu(), stream);
  float memory[64] = {};
  auto tensor = [&](Sizes sizes) {
    Tensor t{memory, uint32_t(sizes.size()), {}};
    std::copy(sizes.begin(), sizes.end(), t.sizes.begin());
    return t;
  };
  for (auto [out, a, b, why] :
       {std::tuple{tensor({2, 4}), tensor({2, 3, 1}), tensor({3, 4}), "has 3 dimensions"},
        {tensor({2, 4}), tensor({2, 3}), tensor({5, 4}), "`j` is 3 and 5"},
        {tensor({4, 2}), tensor({2, 3}), tensor({3, 4}), "another shape"},
        {tensor({2, 4}), tensor({2, -3}), tensor({3, 4}), "below 0"}}) {
    auto done = einsum("ij,jk->ik", Dtype::F32, out, a, b);
    REQUIRE(!done.ok());
    CHECK(done.error().kind() == kiln::ErrorKind::Usage);
    CHECK(done.error().what().find(why) != std::string::npos);
  }
}
