// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// growth [--reps N]: how compile time grows with the program. Generated kernels of doubling size (statements
// in one body, calls of distinct functions, depth of a chain of calls), parsed source to PTX, and the
// exponent of a least-squares fit of log time over log size: 1 is linear. Each repetition is a new definition
// in one session; the median of the process's CPU time counts.
#include "measure.h"

#include <kiln/kiln.h>

#include <cmath>
#include <functional>

using namespace kiln;
using namespace bench;

namespace {

struct Shape {
  const char *name, *unit;
  long smallest, largest;
  std::function<std::string(long size, const std::string &suffix)> source;
};

std::string statements(long size, const std::string &suffix) {
  std::string text = "function k" + suffix + "(y)\n    x = y[1]\n";
  for (long i = 0; i < size; i++)
    text += "    x = x * " + std::to_string(i % 7 + 2) + "f0 + y[" + std::to_string(i % 5 + 1) + "]\n";
  return text + "    y[1] = x\n    return\nend\n";
}

std::string calls(long size, const std::string &suffix) {
  std::string text, body;
  for (long i = 0; i < size; i++) {
    std::string name = "f" + std::to_string(i) + suffix;
    text += "function " + name + "(x, i)\n    x > i ? x * " + std::to_string(i % 7 + 2) + "f0 : x - i\nend\n";
    body += "    x = " + name + "(x, Int32(" + std::to_string(i) + "))\n";
  }
  return text + "function k" + suffix + "(y)\n    x = y[1]\n" + body + "    y[1] = x\n    return\nend\n";
}

std::string chain(long size, const std::string &suffix) {
  std::string text = "f0" + suffix + "(x) = x + 1f0\n";
  for (long i = 1; i < size; i++)
    text += "f" + std::to_string(i) + suffix + "(x) = f" + std::to_string(i - 1) + suffix + "(x) * " +
            std::to_string(i % 7 + 2) + "f0\n";
  return text + "function k" + suffix + "(y)\n    y[1] = f" + std::to_string(size - 1) + suffix +
         "(y[1])\n    return\nend\n";
}

// The exponent b of time = a * size^b.
double exponent(const std::vector<std::pair<double, double>> &points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = double(points.size());
  for (auto [size, time] : points) {
    double x = std::log(size), y = std::log(time);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double median_us(const Shape &shape, long size, long reps, ArtifactKind kind) {
  auto session = take(Session::open({.cache_dir = ""}));
  CompilerConfig config;
  config.target = PtxOptions();
  Series times;
  for (long rep = 0; rep <= reps; rep++) {
    std::string suffix = "_" + std::to_string(rep), source = shape.source(size, suffix);
    Moment start = Moment::now();
    take(session->load("growth.jl", source));
    take(session->compile("k" + suffix + "(CuDeviceVector{Float32,1})", config, kind));
    if (rep > 0) times.add((Moment::now() - start).cpu_us); // the first warms the base library
  }
  return times.median();
}

} // namespace

int main(int argc, char **argv) {
  long reps = number_option(argc, argv, "--reps", 5);
  const Shape shapes[] = {{"statements", "in one body", 16, 1024, statements},
                          {"calls", "of distinct functions", 8, 512, calls},
                          {"chain", "calls deep", 8, 256, chain}};
  for (const Shape &shape : shapes)
    for (auto [kind, stage] :
         {std::pair{ArtifactKind::Typed, "to typed code"}, std::pair{ArtifactKind::Assembly, "to PTX"}}) {
      std::printf("%s (%s), %s\n%10s %12s %14s\n", shape.name, shape.unit, stage, "size", "ms",
                  "us for each");
      std::vector<std::pair<double, double>> upper; // the fixed costs of a job hide growth in small kernels
      for (long size = shape.smallest; size <= shape.largest; size *= 2) {
        double us = median_us(shape, size, reps, kind);
        std::printf("%10ld %12.2f %14.1f\n", size, us / 1e3, us / double(size));
        std::fflush(stdout);
        if (size * 8 >= shape.largest) upper.emplace_back(double(size), us);
      }
      std::printf("exponent over the largest four sizes: %.2f\n\n", exponent(upper));
    }
  return 0;
}
