// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coarsening.h"

namespace kiln::gpu_test {

uint64_t coarse_launches(const Session &session) {
  uint64_t count = 0;
  for (const TimingKernel &kernel : session.timings().kernels) count += kernel.coarse_launches;
  return count;
}

void coarse_sessions(Test &t) {
  constexpr int64_t n = (1 << 22) + 3;
  const LaunchShape large{.blocks = {(n + 255) / 256, 1, 1}, .threads = {256, 1, 1}};
  auto session = open_coarsening(t, true);
  const Device device = t.take(session->gpu());
  Stream stream = t.take(session->stream(device));
  Buffer x = t.take(stream.allocate(4 * n + 64)), y = t.take(stream.allocate(4 * n + 64));
  auto launch = [&](float *to, float *from, int64_t count, const LaunchShape &shape,
                    LaunchOptions options = {}) {
    const std::vector<Argument> arguments{Argument::array(to, {count}), Argument::array(from, {count}),
                                          Argument::scalar(2.0f)};
    t.done(session->launch(stream, "saxpy", shape, arguments, {}, options));
    t.done(stream.synchronize());
  };
  auto *a = x.as<float>(), *b = y.as<float>();
  t.done(stream.fill(x.data(), 0, x.bytes()));
  t.done(stream.fill(y.data(), 0, y.bytes()));
  launch(b, a, 1000, {.blocks = {4, 1, 1}, .threads = {256, 1, 1}});
  session->wait_for_background();
  t.check("a small launch wants no second entry", session->counters().coarsened == 0);
  launch(b, a + 1, n - 1, large);
  session->wait_for_background();
  t.check("a launch with arrays that are not aligned wants none", session->counters().coarsened == 0);
  launch(b, a, n, large);
  session->wait_for_background();
  t.check("nor does the first large launch", session->counters().coarsened == 0);
  launch(b, a, n, large);
  session->wait_for_background();
  t.check("the second has one made", session->counters().coarsened == 1);
  const uint64_t before = coarse_launches(*session);
  launch(b, a, n, large);
  t.check("the next one takes it", coarse_launches(*session) == before + 1);
  launch(b, b, n, large);
  t.check("also where both arrays are the same", coarse_launches(*session) == before + 2);
  launch(b, b + 4, n - 4, large);
  launch(b, a, n, large, {.coarsen = false});
  launch(b, a, 1000, {.blocks = {4, 1, 1}, .threads = {256, 1, 1}});
  t.check("not where they overlap, where it is switched off, or in small launches",
          coarse_launches(*session) == before + 2);

  auto off = open_coarsening(t, false);
  Stream other = t.take(off->stream(t.take(off->gpu())));
  const std::vector<Argument> arguments{Argument::array(b, {n}), Argument::array(a, {n}),
                                        Argument::scalar(2.0f)};
  for (int i = 0; i < 2; i++) t.done(off->launch(other, "saxpy", large, arguments));
  t.done(other.synchronize());
  off->wait_for_background();
  t.check("a session without coarsening makes none",
          off->counters().coarsened == 0 && coarse_launches(*off) == 0);

  // A kernel that throws: thread and block as in the launch that was written.
  const std::vector<Argument> short_one{Argument::array(b, {n}), Argument::array(a, {n - 1})};
  Result<void> thrown = session->launch(device, "checked", large, short_one);
  const int64_t last = n - 1;
  const std::string text = thrown.ok() ? "no error" : thrown.error().what();
  t.check("an exception tells the thread and block of the launch as written",
          !thrown.ok() && text.find(fmt::format("{}", last / 256 + 1)) != std::string::npos &&
              text.find(fmt::format("{}", last % 256 + 1)) != std::string::npos,
          text);
}

} // namespace kiln::gpu_test
