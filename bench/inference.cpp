// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// inference [--reps N] FILE.jl... 'f(T1, ...)': milliseconds from a call's text to typed code. Cold: the
// first call of a session, so that all it needs of the base library is parsed, lowered and inferred too.
// Warm: the files loaded again, so that everything of theirs is new and the base library is known. The least
// CPU time of N sessions, and of N loads.
#include "measure.h"

#include <kiln/kiln.h>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace kiln;
using namespace bench;

namespace {

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(1);
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double infer_ms(Session &session, const std::string &call) {
  CompilerConfig config;
  config.target = PtxOptions();
  Moment start = Moment::now();
  take(session.compile(call, config, ArtifactKind::Typed));
  return (Moment::now() - start).cpu_us / 1e3;
}

} // namespace

int main(int argc, char **argv) {
  long reps = number_option(argc, argv, "--reps", 3);
  std::vector<std::string> names;
  for (int i = 1; i < argc; i++) {
    if (std::string_view(argv[i]) == "--reps")
      i++;
    else
      names.push_back(argv[i]);
  }
  if (names.size() < 2) {
    std::fprintf(stderr, "usage: inference [--reps N] FILE.jl... 'f(T1, ...)'\n");
    return 2;
  }
  std::string call = names.back();
  names.pop_back();
  double cold = 1e9, warm = 1e9;
  for (long rep = 0; rep < reps; rep++) {
    auto session = take(Session::open({.cache_dir = ""}));
    auto load = [&] {
      for (const std::string &name : names) take(session->load(name, contents(name)));
    };
    load();
    cold = std::min(cold, infer_ms(*session, call));
    for (long again = 0; again < reps; again++) {
      load();
      warm = std::min(warm, infer_ms(*session, call));
    }
  }
  std::printf("%.2f %.2f\n", cold, warm);
  return 0;
}
