// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// envelope [--reps N]: how long signing an entry for a remote store takes, and opening it, by the size of its
// payload. Opening is what a first hit of a node pays.
#include "measure.h"

#include <trust/trust.h>

using namespace kiln;

namespace {

bench::Spans measure(long reps, const auto &call) {
  for (long i = 0; i < reps / 10 + 1; i++) call();
  bench::Spans spans;
  for (long i = 0; i < reps; i++) {
    const bench::Moment begin = bench::Moment::now();
    call();
    spans.add(bench::Moment::now() - begin);
  }
  return spans;
}

void row(const char *what, size_t size, const bench::Spans &spans) {
  std::printf("| %s | %zu | %.1f | %.1f |\n", what, size, spans.wall.median(), spans.wall.percentile(0.99));
}

} // namespace

int main(int argc, char **argv) {
  const long reps = bench::number_option(argc, argv, "--reps", 2000);
  const SecretKey key = bench::take(SecretKey::generate());
  const TrustPolicy policy{.list = bench::take(TrustList::parse("list", public_key_line(key.public_key())))};
  const UtcSeconds now = 1796083200;
  const Digest name{};
  std::printf("load %.1f, %ld repetitions\n| | payload, bytes | median us | p99 us |\n|---|---|---|---|\n",
              bench::load_average(), reps);
  for (const size_t size : {size_t(4) << 10, size_t(16) << 10, size_t(64) << 10, size_t(1) << 20}) {
    std::string payload(size, '\0');
    for (size_t i = 0; i < size; i++) payload[i] = char(i * 2654435761u >> 13);
    const std::string bytes = bench::take(seal_envelope(name, "build", payload, &key, now));
    row("seal", size,
        measure(reps, [&] { (void)bench::take(seal_envelope(name, "build", payload, &key, now)); }));
    row("open", size,
        measure(reps, [&] { (void)bench::take(open_envelope(name, "build", bytes, policy, now)); }));
  }
}
