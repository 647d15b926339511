// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Class RandomNumbers: the random number generators of a program (Mersenne Twister 19937, 64 bits). A
// generator is a number: 0 for calls without a generator, others for generators that the program made (field
// `engine` of Xoshiro and MersenneTwister, runtime/library/base/random.jl). Interpreted and compiled code
// draw the same numbers. Used only by the thread that runs the program.
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace kiln {

class RandomNumbers {
public:
  enum class Draw : uint8_t { Uniform, Normal, Exponential };

  explicit RandomNumbers(uint64_t seed) { make(seed); }
  /// Makes a generator and returns its number.
  size_t make(uint64_t seed);
  void seed(size_t generator, uint64_t seed);

  uint64_t word(size_t generator); ///< 64 random bits
  /// A number of the distribution. Uniform numbers are in [0, 1).
  double number(size_t generator, Draw draw);
  /// A number of [0, count), for count > 0.
  uint64_t below(size_t generator, uint64_t count);

  /// The state of all generators, for a call that may begin anew.
  struct Count {
    uint64_t seeds, words; ///< of the generator until then
  };
  using Mark = std::vector<Count>;
  Mark mark();
  /// False: a generator was seeded since, or too many numbers were drawn.
  bool can_return(const Mark &to) const;
  /// Gives all generators the state that they had at the mark, before or after now.
  void return_to(const Mark &to);

private:
  struct Generator {
    using result_type = uint64_t;
    static constexpr result_type min() { return std::mt19937_64::min(); }
    static constexpr result_type max() { return std::mt19937_64::max(); }
    result_type operator()() {
      ++words;
      return engine();
    }
    std::mt19937_64 engine, kept; ///< `kept`: a copy of `engine` after `kept_words` words
    uint64_t seeds = 0, words = 0, kept_words = 0;
  };
  static constexpr uint64_t max_repeated = 1 << 16; // words after which mark() keeps a new copy
  std::deque<Generator> generators_;
};

} // namespace kiln
