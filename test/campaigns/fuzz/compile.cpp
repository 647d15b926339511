// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text as a file, and every function in it as a job: definitions, macros and top level run, inference
// ends, and what it yields can be emitted and optimised. An error is a fine answer; Kiln's own fault
// (ErrorKind::Internal), a crash, a hang or memory without bound is a finding. The argument types are drawn
// from the text, so that one input always means one run; the session is renewed every few inputs, since
// opening one takes longer than most inputs.
#include <interp/state.h>
#include <kiln/kiln.h>
#include <session/session.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <set>

using namespace kiln;

namespace {

constexpr int inputs_per_session = 64;
constexpr size_t max_functions = 6;
constexpr const char *types[] = {"CuDeviceVector{Float32,1}",
                                 "Int64",
                                 "CuDeviceMatrix{Int32,1}",
                                 "Float32",
                                 "Val{2}",
                                 "Tuple{Int64,Float64}",
                                 "typeof(+)",
                                 "Int32",
                                 "Bool",
                                 "Type{Float32}",
                                 "CuDeviceVector{Tuple{Int8,Bool},1}",
                                 "UInt8"};

uint64_t hash_of(std::string_view text) {
  uint64_t h = 1469598103934665603ull;
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return h;
}

// "name(" after `function` or at the start of a line, with the number of commas up to the next ')'.
std::set<std::pair<std::string, size_t>> functions_of(std::string_view text) {
  std::set<std::pair<std::string, size_t>> found;
  for (size_t at = 0; at < text.size() && found.size() < max_functions; at++) {
    bool after_keyword = at >= 9 && text.substr(at - 9, 9) == "function ";
    if (at != 0 && text[at - 1] != '\n' && !after_keyword) continue;
    size_t end = at;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '!'))
      end++;
    if (end == at || end == text.size() || text[end] != '(') continue;
    size_t close = text.find(')', end), commas = 0;
    if (close == std::string_view::npos) continue;
    for (char c : text.substr(end, close - end)) commas += c == ',';
    found.insert({std::string(text.substr(at, end - at)), close == end + 1 ? 0 : commas + 1});
  }
  return found;
}

template <class T> void judge(const Result<T> &result, const std::string &what) {
  if (result.ok()) return;
  if (result.error().kind() == ErrorKind::Internal || result.error().what().empty()) {
    std::fprintf(stderr, "%s: %s\n", what.c_str(), result.error().what().c_str());
    std::abort();
  }
}

std::unique_ptr<Session> open() {
  auto opened = Session::open({.cache_dir = "", .verbosity = LogLevel::Error});
  judge(opened, "opening a session");
  definitions_of(**opened).interpreter().set_limits({.steps = 200'000, .depth = 200, .bytes = 64 << 20});
  return std::move(*opened);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<Session> session;
  static int left = 0;
  if (left-- <= 0) {
    session = open();
    left = inputs_per_session;
  }
  std::string text(reinterpret_cast<const char *>(data), size);
  judge(session->load("fuzz.jl", text), "load");
  uint64_t seed = hash_of(text);
  for (const auto &[name, count] : functions_of(text)) {
    std::string call = name + "(";
    for (size_t i = 0; i < count; i++, seed = seed * 6364136223846793005ull + 1442695040888963407ull)
      call += (i ? ", " : "") + std::string(types[(seed >> 33) % std::size(types)]);
    call += ")";
    CompilerConfig config;
    config.kernel = false;
    config.target = seed & 1 ? TargetSpec(PtxOptions()) : TargetSpec(NativeOptions());
    judge(session->compile(call, config, seed & 6 ? ArtifactKind::Typed : ArtifactKind::LlvmOpt), call);
  }
  return 0;
}
