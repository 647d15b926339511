// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel as Kiln's, as a C++ programmer's loop and as an OpenCL kernel, by turns and checked against each
// other.
#pragma once

#include "measure.h"
#include "opencl.h"

#include <kiln/kiln.h>

#include <array>
#include <cmath>
#include <functional>

namespace bench {

using namespace kiln;

inline void check(Result<void> result) {
  if (!result.ok()) give_up(result.error());
}

inline Moment timed(auto &&work) {
  Moment start = Moment::now();
  work();
  return Moment::now() - start;
}

class Comparison {
public:
  Comparison(Session &session, OpenCl *opencl, long reps, std::string only, bool json)
      : session_(session), opencl_(opencl), reps_(std::max(reps, fewest_rounds)), only_(std::move(only)),
        json_(json) {}

  static constexpr long fewest_rounds = 10;
  CompilerConfig config = {}; ///< of Kiln's kernels
  void heading() const;

  void saxpy();
  void stencil();
  void mandelbrot();
  void nbody();
  void block_sums();
  void tiled();
  void strided_saxpy();
  void strided_dot();
  void launches();

private:
  using Work = std::function<void()>;
  using Pair = std::array<size_t, 2>;
  bool wanted(const char *name) const { return only_.empty() || only_ == name; }

  Work launch(std::string kernel, std::array<uint32_t, 2> blocks, std::array<uint32_t, 2> threads,
              std::vector<Argument> arguments);
  /// Nothing without a device.
  Work opencl(const char *source, const char *name, Pair blocks, Pair threads,
              const std::vector<OpenCl::Argument> &arguments);
  /// Runs `ours`, `cpp` and `opencl` (may be nothing) by turns, and reports the ratios; `goal` is the speed
  /// against C++ that Kiln is to have.
  void compare(const std::string &name, double goal, long reps, const Work &ours, const Work &cpp,
               const Work &opencl);
  /// `tolerance` is relative.
  template <class T>
  static void same(const char *name, const char *whose, const std::vector<T> &ours,
                   const std::vector<T> &theirs, double tolerance, size_t may_differ = 0) {
    size_t different = 0, first = 0;
    for (size_t i = 0; i < ours.size(); i++)
      if (!(std::abs(double(ours[i]) - double(theirs[i])) <= tolerance * std::abs(double(theirs[i])))) {
        if (!different) first = i;
        different++;
      }
    if (different <= may_differ) return;
    std::fprintf(stderr, "%s: %zu elements are not as in %s; the first, %zu, is %g instead of %g\n", name,
                 different, whose, first, double(ours[first]), double(theirs[first]));
    std::exit(1);
  }

  Session &session_;
  OpenCl *opencl_;
  long reps_;
  std::string only_;
  bool json_;
};

} // namespace bench
