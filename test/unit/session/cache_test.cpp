// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache that outlives a session: what a second session finds in the folder, and what it must not take for
// the same.
#include "cached.h"

#include <fstream>
#include <sstream>

using namespace kiln;
using namespace cached;
namespace fs = std::filesystem;

namespace {

constexpr const char *program = R"(
struct Pair
    a::Float32
    b::Float32
end
Base.:+(x::Pair, y::Pair) = Pair(x.a + y.a, x.b + y.b)
const STEP = 2
factor() = 3f0
helper(x) = x * factor()
function scale(y)
    i = threadIdx().x
    if i <= length(y)
        s = Pair(helper(y[i]), 1f0) + Pair(0f0, Float32(STEP))
        y[i] = s.a + s.b
    end
    return
end
function other(y)
    i = threadIdx().x
    f = v -> v + 1f0
    if i <= length(y)
        y[i] = f(sqrt(y[i]))
    end
    return
end
)";

/// What a session that loads `text` gets from `kernel`, on 4, 9, 16; and what it had to do for it.
struct Ran {
  std::vector<float> result;
  Session::Counters counters;
};
Ran run(const fs::path &folder, const std::string &text, const std::string &kernel,
        CompilerConfig config = {}, const std::string &file = "test.jl") {
  auto session = open(folder);
  must(session->load(file, text));
  std::vector<float> y{4, 9, 16};
  must(session->launch(kernel, {.threads = {3, 1, 1}}, {Argument::array(y.data(), {3})}, config));
  session->flush_cache();
  return {y, session->counters()};
}

void check_warm(const Ran &ran) {
  CHECK(ran.counters.compiled == 0);
  CHECK(ran.counters.inferred == 0);
  CHECK(ran.counters.llvm_contexts == 0);
  CHECK(ran.counters.disk_hits == 1);
  CHECK(ran.counters.edge_hits == 1);
}
void check_cold(const Ran &ran) {
  CHECK(ran.counters.compiled == 1);
  CHECK(ran.counters.disk_hits == 0);
}

const std::vector<float> scaled{15, 30, 51}, rooted{3, 4, 5};

} // namespace

namespace {
bool is_assembler_loaded() {
  std::ifstream maps("/proc/self/maps");
  std::stringstream text;
  text << maps.rdbuf();
  return text.str().find("nvJitLink") != std::string::npos;
}
} // namespace

TEST_CASE("a second session infers nothing, compiles nothing and makes no LLVM context") {
  Scratch folder;
  const bool was_loaded = is_assembler_loaded(); // by another test: it stays
  for (const char *kernel : {"scale", "other"}) {
    const std::vector<float> &expected = std::string(kernel) == "scale" ? scaled : rooted;
    Ran cold = run(folder.path, program, kernel), warm = run(folder.path, program, kernel);
    CHECK(cold.result == expected);
    CHECK(warm.result == expected);
    check_cold(cold);
    check_warm(warm);
  }
  CHECK(is_assembler_loaded() == was_loaded);
}

TEST_CASE("closures of the library, which a warm session does not make, are no reason to infer") {
  Scratch folder;
  const std::string text = R"(
struct Both
    a::Float32
    b::Int32
end
function shifted(y)
    i = threadIdx().x
    p = shfl_down_sync(FULL_MASK, Both(y[i], 1i32), 1)
    y[i] = p.a + Float32(p.b)
    return
end
)";
  const std::vector<float> expected{10, 17, 17};
  Ran cold = run(folder.path, text, "shifted"), warm = run(folder.path, text, "shifted");
  CHECK(cold.result == expected);
  CHECK(warm.result == expected);
  check_cold(cold);
  check_warm(warm);
  // A method that takes the library's closure, and others, is asked for.
  Ran other =
      run(folder.path, text + "CUDA.shfl_recurse(op, x::Both) = Both(op(x.a) + 1f0, x.b)\n", "shifted");
  CHECK(other.result == std::vector<float>{11, 18, 18});
  check_cold(other);
  CHECK(run(folder.path, text, "shifted").counters.compiled ==
        0); // the record of its edges was replaced, its artifact was not
}

TEST_CASE("a plain function's result type is in its entry") {
  Scratch folder;
  const std::string text =
      "struct Point\n    x::Float32\n    y::Int64\nend\nmake(a) = Point(2a, 7)\nhalf(a) = a / 2\nnothing_at_all(a) = nothing\n";
  for (int run = 0; run < 2; run++) {
    auto session = open(folder.path);
    must(session->load("test.jl", text));
    const Value argument = must(evaluate(*session, "argument", "3f0"));
    for (auto [name, result] : {std::pair("make", "Point(6.0f0, 7)"), std::pair("half", "1.5f0"),
                                std::pair("nothing_at_all", "nothing")}) {
      INFO(name);
      const Value function = must(evaluate(*session, "function", name));
      CHECK(to_string(must(call_function(*session, function, std::span(&argument, 1)))) == result);
    }
    CHECK((session->counters().inferred == 0) == (run == 1));
  }
}

TEST_CASE("what a job reaches, and only that, decides whether it is compiled again") {
  Scratch folder;
  run(folder.path, program, "scale");
  run(folder.path, program, "other");
  // Each changes what scale does, and leaves other alone.
  const std::tuple<std::string_view, std::string_view, std::vector<float>> edits[] = {
      {"factor() = 3f0", "factor() = 4f0", {19, 39, 67}},
      {"const STEP = 2", "const STEP = 5", {18, 33, 54}},
      {"x * factor()", "factor() - x", {2, -3, -10}},
      {"x.b + y.b)", "x.b - y.b)", {11, 26, 47}},
      {"s.a + s.b", "s.a - s.b", {9, 24, 45}},
      {"helper(x) = x * factor()\n", "helper(x) = x * factor()\nhelper(x::Float32) = x\n", {7, 12, 19}},
  };
  for (const auto &[from, to, expected] : edits) {
    INFO(to);
    std::string edited = replaced(program, from, to);
    // -g0: places do not count, so other stays what it was although its lines may have moved.
    CompilerConfig plain;
    plain.debug_level = 0;
    Scratch own;
    check_cold(run(own.path, program, "scale", plain));
    check_cold(run(own.path, program, "other", plain));
    Ran changed = run(own.path, edited, "scale", plain);
    CHECK(changed.result == expected);
    check_cold(changed);
    check_warm(run(own.path, edited, "scale", plain));
    check_warm(run(own.path, edited, "other", plain));
    check_warm(run(own.path, program, "other", plain));
  }
}

TEST_CASE("versions of a program take turns on one folder") {
  Scratch folder;
  std::vector<std::string> versions{program};
  for (const char *factor : {"4f0", "5f0", "6f0"})
    versions.push_back(replaced(program, "factor() = 3f0", std::string("factor() = ") + factor));
  for (const std::string &version : versions) check_cold(run(folder.path, version, "scale"));
  for (int turn = 0; turn < 2; turn++)
    for (size_t v = 0; v < versions.size(); v++) {
      Ran warm = run(folder.path, versions[v], "scale");
      check_warm(warm);
      CHECK(warm.result ==
            std::vector<float>{float(4 * (3 + v) + 3), float(9 * (3 + v) + 3), float(16 * (3 + v) + 3)});
    }
}

TEST_CASE("a struct with other fields is another struct") {
  Scratch folder;
  CompilerConfig plain;
  plain.debug_level = 0;
  check_cold(run(folder.path, program, "scale", plain));
  std::string wider =
      replaced(replaced(replaced(program, "a::Float32", "a::Float64"), "x.a + y.a", "x.a - y.a"), "s.a + s.b",
               "Float32(s.a) + s.b");
  Ran changed = run(folder.path, wider, "scale", plain);
  check_cold(changed);
  CHECK(changed.result == scaled);
}

TEST_CASE("at -g0 comments, the file and the order of definitions do not count; with places they do") {
  Scratch folder;
  CompilerConfig plain;
  plain.debug_level = 0;
  check_cold(run(folder.path, program, "scale", plain));
  check_warm(run(folder.path, "# a comment\n\n" + std::string(program), "scale", plain));
  check_warm(run(folder.path, program, "scale", plain, "elsewhere/moved.jl"));
  check_warm(run(
      folder.path,
      replaced(replaced(program, "factor() = 3f0\n", ""), "const STEP = 2", "factor() = 3f0\nconst STEP = 2"),
      "scale", plain));
  check_warm(run(folder.path, std::string(program) + "unrelated(x) = 2x\nBase.:*(a::Pair, b::Pair) = a\n",
                 "scale", plain));

  check_cold(run(folder.path, program, "scale"));
  check_warm(run(folder.path, program, "scale"));
  check_cold(run(folder.path, "# a comment\n" + std::string(program), "scale"));
  check_cold(run(folder.path, program, "scale", {}, "moved.jl"));
}

TEST_CASE("every field of the config is part of the key") {
  Scratch folder;
  check_cold(run(folder.path, program, "scale"));
  std::vector<CompilerConfig> others(9);
  others[0].name = "another";
  others[1].always_inline = true;
  others[2].opt_level = 1;
  others[3].debug_level = 2;
  others[4].cleanup = false;
  others[5].check = true;
  others[6].interruptible = true;
  others[7].target.fast_math = true;
  others[8].strip = true;
  for (const CompilerConfig &config : others) {
    Ran cold = run(folder.path, program, "scale", config);
    check_cold(cold);
    CHECK(cold.result == scaled);
    Ran warm = run(folder.path, program, "scale", config);
    check_warm(warm);
    CHECK(warm.result == scaled);
  }
}

TEST_CASE("damaged entries are compiled again") {
  Scratch folder;
  run(folder.path, program, "scale");
  for (const auto &each : fs::recursive_directory_iterator(folder.path)) {
    if (!each.is_regular_file() || each.path().filename().string().size() != 30) continue;
    std::fstream file(each.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(70);
    file.put('\x55');
  }
  Ran again = run(folder.path, program, "scale");
  CHECK(again.result == scaled);
  CHECK(again.counters.damaged == 2);
  check_cold(again);
  check_warm(run(folder.path, program, "scale"));
}

TEST_CASE("a definition between two launches is seen, with a warm folder too") {
  Scratch folder;
  run(folder.path, program, "scale");
  auto session = open(folder.path);
  must(session->load("test.jl", program));
  auto launch = [&] {
    std::vector<float> y{4, 9, 16};
    must(session->launch("scale", {.threads = {3, 1, 1}}, {Argument::array(y.data(), {3})}));
    return y;
  };
  CHECK(launch() == scaled);
  CHECK(session->counters().inferred == 0);
  must(session->load("more.jl", "factor() = 4f0\n"));
  CHECK(launch() == std::vector<float>{19, 39, 67});
  must(session->load("more.jl", "Base.:+(x::Pair, y::Pair) = y\n"));
  CHECK(launch() == std::vector<float>{2, 2, 2});
}

TEST_CASE("--check-cache compiles on every hit, and finds no difference") {
  Scratch folder;
  run(folder.path, program, "scale");
  auto session = open(folder.path, true);
  must(session->load("test.jl", program));
  std::vector<float> y{4, 9, 16};
  must(session->launch("scale", {.threads = {3, 1, 1}}, {Argument::array(y.data(), {3})}));
  CHECK(y == scaled);
  CHECK(session->counters().disk_hits == 1);
  CHECK(session->counters().compiled == 1);
}
