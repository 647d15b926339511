// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_numbers.h"

#include <algorithm>
#include <cmath>

namespace kiln {

size_t RandomNumbers::make(uint64_t seed) {
  generators_.emplace_back();
  this->seed(generators_.size() - 1, seed);
  return generators_.size() - 1;
}

void RandomNumbers::seed(size_t generator, uint64_t seed) {
  Generator &g = generators_.at(generator);
  g.engine.seed(seed);
  g.kept = g.engine;
  g.words = g.kept_words = 0;
  ++g.seeds;
}

uint64_t RandomNumbers::word(size_t generator) { return generators_.at(generator)(); }

double RandomNumbers::number(size_t generator, Draw draw) {
  auto uniform = [&] { return double(word(generator) >> 11) * 0x1p-53; };
  const double u = uniform();
  if (draw == Draw::Uniform) return u;
  if (draw == Draw::Exponential) return -std::log(1 - u);
  // Box-Muller makes two numbers; one is used.
  return std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * M_PI * uniform());
}

uint64_t RandomNumbers::below(size_t generator, uint64_t count) {
  return std::uniform_int_distribution<uint64_t>(0, count - 1)(generators_.at(generator));
}

RandomNumbers::Mark RandomNumbers::mark() {
  Mark mark;
  mark.reserve(generators_.size());
  for (Generator &g : generators_) {
    if (g.words - g.kept_words > max_repeated) {
      g.kept = g.engine;
      g.kept_words = g.words;
    }
    mark.push_back({g.seeds, g.words});
  }
  return mark;
}

bool RandomNumbers::can_return(const Mark &to) const {
  return std::ranges::equal(to.begin(), to.end(), generators_.begin(), generators_.begin() + to.size(),
                            [](const Count &then, const Generator &now) {
                              return then.seeds == now.seeds && then.words >= now.kept_words;
                            });
}

void RandomNumbers::return_to(const Mark &to) {
  for (size_t i = 0; i < to.size(); ++i) {
    Generator &g = generators_[i];
    if (g.words == to[i].words) continue;
    g.engine = g.kept;
    g.engine.discard(to[i].words - g.kept_words);
    g.words = to[i].words;
  }
}

} // namespace kiln
