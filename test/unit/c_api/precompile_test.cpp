// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln_precompile of what is a trace, what is one in part, and what is none.
#include "open.h"
#include "scratch.h"
#include "variables.h"

#include <kiln/c_cache.h>

#include <fstream>

using kiln::test::ok;
using kiln::test::OpenSession;
using kiln::test::Scratch;
using kiln::test::told;

namespace {

struct Precompiled {
  int status;
  kiln_precompile_report report;
  std::string says;
};

Precompiled precompile(const Scratch &folder, const std::string &text, const char *queue = nullptr) {
  const std::string trace = folder.path / "given", cache = folder.path / "cache";
  std::ofstream(trace, std::ios::binary) << text;
  kiln_session_options session = {};
  session.struct_size = sizeof session;
  session.cache_dir = cache.c_str();
  kiln_precompile_options options = {};
  options.struct_size = sizeof options;
  options.session = &session;
  options.queue = queue;
  Precompiled made = {};
  made.report.struct_size = sizeof made.report;
  kiln_error *error = nullptr;
  made.status = kiln_precompile(trace.c_str(), &options, &made.report, &error);
  if (error) made.says = told(error);
  return made;
}

std::string recorded(const Scratch &folder) {
  const std::string trace = folder.path / "trace", file = folder.path / "k.jl";
  std::ofstream(file) << "using CUDA\nfunction k(y)\n  @inbounds y[1] = 1\n  return\nend\n";
  kiln_session_options options = {};
  options.trace_jobs = trace.c_str();
  OpenSession open(options);
  ok(kiln_load_file(open.session, file.c_str(), &open.error), open.error);
  kiln_artifact *artifact = nullptr;
  ok(kiln_compile(open.session, "k(CuDeviceVector{Int64,1})", "{}", "obj", &artifact, &open.error),
     open.error);
  kiln_artifact_free(artifact);
  std::ifstream lines(trace);
  return {std::istreambuf_iterator<char>(lines), {}};
}

} // namespace

TEST_CASE("kiln_precompile says what it left out, and compiles the rest") {
  Scratch folder;
  const std::string line = recorded(folder);
  REQUIRE(line.ends_with("}\n"));
  const Precompiled whole = precompile(folder, line);
  CHECK(whole.status == KILN_OK);
  CHECK(whole.report.jobs == 1);
  const Precompiled half = precompile(folder, line + line.substr(0, line.size() / 2));
  CHECK(half.status == KILN_INPUT);
  CHECK(half.report.jobs == 1);
  CHECK(half.says.find("given:2: left out: the last line was cut off") != std::string::npos);
  std::string other = line;
  other.replace(other.rfind('}'), 1, ",\"cannot_repeat\":\"a closure is in it\"}");
  const Precompiled skipped = precompile(folder, line + other);
  CHECK(skipped.status == KILN_INPUT);
  CHECK(skipped.says.find("cannot be repeated in another process: a closure is in it") != std::string::npos);
}

TEST_CASE("kiln_precompile refuses a queue without a remote store") {
  Scratch folder;
  const kiln::test::Variable none("KILN_REMOTE_CACHE", nullptr);
  const Precompiled made = precompile(folder, recorded(folder), "q");
  CHECK(made.status == KILN_USAGE);
  CHECK(made.says.find("a queue needs a remote store") != std::string::npos);
  CHECK(precompile(folder, recorded(folder), "").status == KILN_OK);
}

TEST_CASE("kiln_precompile of what is no trace is an error, and compiles nothing") {
  Scratch folder;
  const std::string line = recorded(folder);
  for (const std::string &text :
       {std::string(), std::string("root:x:0:0:root:/root:/bin/bash\n"), line.substr(0, line.size() / 2),
        line.substr(line.size() / 2), std::string("{\"files\": [\"k.jl\"], \"jobs\": [\"k(Int64)\"]}\n"),
        std::string("\x7f"
                    "ELF\0\0\0",
                    7)}) {
    INFO(text);
    const Precompiled made = precompile(folder, text);
    CHECK(made.status == KILN_INPUT);
    CHECK(made.report.jobs == 0);
    CHECK(made.says.find("given") != std::string::npos);
    CHECK(made.says.find("hint: ") != std::string::npos);
  }
}
