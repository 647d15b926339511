// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker program of an embedder's own, by libkiln.so (kiln/worker.h).
#include <kiln/worker.h>

#include <cstdio>
#include <unistd.h>

int main() {
  const auto served = kiln::run_worker([] { ::_exit(0); });
  if (!served.ok()) std::fputs(served.error().what().c_str(), stderr);
  return served.ok() ? 0 : 1;
}
