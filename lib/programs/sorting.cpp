// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts arrays of machine numbers by their digits (LSD radix sort). Each number becomes a key whose unsigned
// order is isless: -0.0 before 0.0, all NaNs last.
#include "library.h"

#include <algorithm>
#include <bit>

namespace kiln {

namespace {

constexpr unsigned digit_bits = 11;
constexpr size_t digits = size_t(1) << digit_bits;
constexpr size_t min_radix_count = 2'000; // the counts of digits cost more below

/// Maps a number to an unsigned key, and back. Equal keys are equal numbers, except NaNs.
template <class T> struct KeyOf {
  using Key = std::make_unsigned_t<T>;
  static constexpr Key flip = std::is_signed_v<T> ? Key(1) << (sizeof(T) * 8 - 1) : 0;
  static Key key(T x) { return Key(x) ^ flip; }
};
template <class T, class Bits> struct FloatKey {
  using Key = Bits;
  static Key key(T x) {
    if (x != x) return ~Key(0);
    const Key bits = std::bit_cast<Key>(x), sign = Key(1) << (sizeof(T) * 8 - 1);
    return bits & sign ? ~bits : bits | sign;
  }
};
template <> struct KeyOf<float> : FloatKey<float, uint32_t> {};
template <> struct KeyOf<double> : FloatKey<double, uint64_t> {};

template <class T> void sort_numbers(T *numbers, size_t count, bool reverse) {
  using Key = typename KeyOf<T>::Key;
  constexpr unsigned key_bits = sizeof(Key) * 8, passes = (key_bits + digit_bits - 1) / digit_bits;
  auto key_of = [&](T x) { return reverse ? Key(~KeyOf<T>::key(x)) : KeyOf<T>::key(x); };
  if (count < min_radix_count) {
    std::stable_sort(numbers, numbers + count, [&](T x, T y) { return key_of(x) < key_of(y); });
    return;
  }
  std::vector<T> other(count);
  std::vector<size_t> counts(passes * digits);
  auto digit_of = [&](T x, unsigned pass) { return size_t(key_of(x) >> (pass * digit_bits)) & (digits - 1); };
  for (size_t i = 0; i < count; ++i)
    for (unsigned pass = 0; pass < passes; ++pass) ++counts[pass * digits + digit_of(numbers[i], pass)];
  T *from = numbers, *to = other.data();
  for (unsigned pass = 0; pass < passes; ++pass) {
    size_t *starts = &counts[pass * digits], total = 0;
    if (starts[digit_of(from[0], pass)] == count) continue; // all digits are equal
    for (size_t d = 0; d < digits; ++d) total += std::exchange(starts[d], total);
    for (size_t i = 0; i < count; ++i) to[starts[digit_of(from[i], pass)]++] = from[i];
    std::swap(from, to);
  }
  if (from != numbers) std::copy(from, from + count, numbers);
}

} // namespace

void add_sorting(Library &l) {
  // __sort_numbers(v, reverse): sorts a vector of machine numbers. False: it has other elements, or isless of
  // them is the program's.
  l.add("__sort_numbers", 2, [&l](Interpreter &, Args a) -> Result<Value> {
    HostArray *array = a[0].as_array();
    const auto &b = l.types.builtins();
    const TypeRef element = array ? array->element : nullptr;
    if (!array || array->dims.size() != 1) return l.types.boolean(false);
    KILN_TRY(Value isless, find_base(l.interpreter, "isless"));
    if (l.world.may_choose_added(l.types.tuple({isless.type(), element, element}), l.world.host_overlay()))
      return l.types.boolean(false);
    const auto count = size_t(array->length());
    bool is_sorted = false;
    auto sort_as = [&]<class T>(TypeRef type, T) {
      if (element != type) return;
      if (count > 1) sort_numbers(reinterpret_cast<T *>(array->bytes.data()), count, a[1].low_bits() & 1);
      is_sorted = true;
    };
    sort_as(b.Float64, double());
    sort_as(b.Float32, float());
    sort_as(b.Int64, int64_t());
    sort_as(b.Int32, int32_t());
    sort_as(b.UInt64, uint64_t());
    sort_as(b.UInt32, uint32_t());
    return l.types.boolean(is_sorted);
  });
}

} // namespace kiln
