// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison.h"

namespace bench {

Comparison::Work Comparison::launch(std::string kernel, std::array<uint32_t, 2> blocks,
                                    std::array<uint32_t, 2> threads, std::vector<Argument> arguments) {
  LaunchShape shape{.blocks = {blocks[0], blocks[1], 1}, .threads = {threads[0], threads[1], 1}};
  return [this, kernel = std::move(kernel), shape, arguments = std::move(arguments)] {
    check(session_.launch(kernel, shape, arguments, config));
  };
}

Comparison::Work Comparison::opencl(const char *source, const char *name, Pair blocks, Pair threads,
                                    const std::vector<OpenCl::Argument> &arguments) {
  if (!opencl_) return {};
  size_t kernel = opencl_->load(source, name, arguments);
  return [this, kernel, blocks, threads] {
    opencl_->run(kernel, {blocks[0] * threads[0], blocks[1] * threads[1]}, threads);
  };
}

void Comparison::compare(const std::string &name, double goal, long reps, const Work &ours, const Work &cpp,
                         const Work &opencl) {
  // Each comes before and behind each other equally often: who comes behind a device that lets its threads
  // sleep has to wake them.
  std::array<const Work *, 3> order{&ours, &cpp, &opencl};
  std::sort(order.begin(), order.end());
  Spans kiln, loops, items, to_loops,
      to_items; // the last two: ratios of a round, above 1 where Kiln is faster
  for (long i = -2; i < reps; i++) {
    Moment of_kiln, of_loops, of_items;
    for (const Work *work : order) {
      if (!*work) continue;
      (work == &ours ? of_kiln : work == &cpp ? of_loops : of_items) = timed(*work);
    }
    std::next_permutation(order.begin(), order.end());
    if (i < 0) continue;
    kiln.add(of_kiln);
    loops.add(of_loops);
    items.add(of_items);
    to_loops.add({of_loops.wall_us / of_kiln.wall_us, of_loops.cpu_us / of_kiln.cpu_us});
    to_items.add({of_items.wall_us / of_kiln.wall_us, of_items.cpu_us / of_kiln.cpu_us});
  }
  if (json_) {
    std::printf(
        R"({"kernel": "%s", "rounds": %ld, "goal": %g, "kiln_ms": %.4f, "cpp_ms": %.4f, "ratio": %.3f, "p10": %.3f, "p90": %.3f, "cpu_ratio": %.3f, "cpu_p10": %.3f, "cpu_p90": %.3f)",
        name.c_str(), reps, goal, kiln.wall.median() / 1e3, loops.wall.median() / 1e3, to_loops.wall.median(),
        to_loops.wall.percentile(0.1), to_loops.wall.percentile(0.9), to_loops.cpu.median(),
        to_loops.cpu.percentile(0.1), to_loops.cpu.percentile(0.9));
    if (opencl)
      std::printf(R"(, "opencl_ms": %.4f, "opencl_ratio": %.3f)", items.wall.median() / 1e3,
                  to_items.wall.median());
    std::printf("}\n");
  } else {
    std::printf("| %s | %.2f | %.2f | %.2f (%.2f to %.2f) | %.2f (%.2f to %.2f) | %.2f | ", name.c_str(),
                kiln.wall.median() / 1e3, loops.wall.median() / 1e3, to_loops.wall.median(),
                to_loops.wall.percentile(0.1), to_loops.wall.percentile(0.9), to_loops.cpu.median(),
                to_loops.cpu.percentile(0.1), to_loops.cpu.percentile(0.9), goal);
    if (opencl)
      std::printf("%.2f (%.2f to %.2f) |\n", to_items.wall.median(), to_items.wall.percentile(0.1),
                  to_items.wall.percentile(0.9));
    else
      std::printf("- |\n");
  }
  std::fflush(stdout);
}

void Comparison::heading() const {
  if (!json_)
    std::printf(
        "| kernel | Kiln, ms | C++, ms | speed against C++ (p10 to p90) | the same in CPU time | goal | against OpenCL |\n|---|---|---|---|---|---|---|\n");
}

} // namespace bench
