// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile_calls.h"

#include "../call.h"
#include "../cubin.h"
#include "../output.h"

#include <architectures/architectures.h>
#include <kiln/error_code.h>
#include <ptx/ptx.h>
#include <support/support.h>
#include <targets/targets.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <support/count.h>

namespace kiln::tool {

namespace {

std::string extension_of(const CompileOptions &options, const CompilerConfig &config) {
  const std::map<std::string, std::string> of_stage = {
      {"lowered", "lowered.txt"}, {"typed", "typed.txt"}, {"warntype", "warntype.txt"}, {"llvm", "ll"},
      {"llvm-opt", "opt.ll"},     {"obj", "o"},           {"cubin", "cubin"},           {"sass", "sass"},
      {"resources", "txt"}};
  if (auto found = of_stage.find(options.emit); found != of_stage.end()) return found->second;
  return std::string(capabilities_of(config.target).assembly_extension);
}

/// Makes a file name, without extension, of a call's function name. Bytes other than letters, digits and _
/// become _.
std::string stem_of(std::string_view call) {
  std::string stem(call.substr(0, call.find_first_of("({")));
  for (char &c : stem)
    if (!std::isalnum(uint8_t(c)) && c != '_') c = '_';
  return stem.empty() ? "job" : stem.substr(0, 100);
}

Result<void> make_folder(const std::string &path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path))
    return input_error(fmt::format("cannot write into {}: {}", path,
                                   error ? error.message() : std::string("it is no folder")),
                       {}, "several calls need a folder: -o DIR/");
  return {};
}

} // namespace

Result<std::string> result_text(const CompileOptions &options, const CompilerConfig &config,
                                const Artifact &artifact) {
  if (options.emit == "resources") return resources_text(artifact, config);
  if (options.emit == "sass") return disassemble_cubin(artifact.bytes);
  const bool is_text = artifact.kind != ArtifactKind::Object && artifact.kind != ArtifactKind::Cubin;
  return artifact.bytes + (is_text && !artifact.bytes.ends_with('\n') ? "\n" : "");
}

Result<void> compile_calls(Session &session, const CompileOptions &options,
                           std::span<const CompilerConfig> configs, ArtifactKind kind) {
  KILN_CHECK(make_folder(options.output));
  struct Wanted {
    std::string call;
    const CompilerConfig *config;
  };
  std::vector<Wanted> all;
  for (const std::string &call : options.calls())
    for (const CompilerConfig &config : configs) all.push_back({call, &config});
  std::vector<Result<std::shared_ptr<const Artifact>>> products;
  std::vector<CompileRequest> requests;
  std::vector<size_t> places; // places[i]: index in `products` of the result of requests[i]
  Arguments arguments(session);
  // files() queries the file system, so separate the input files from the calls once, before the loop.
  CompileOptions one = options;
  one.inputs = options.files();
  one.inputs.emplace_back();
  for (const Wanted &wanted : all) {
    one.inputs.back() = wanted.call;
    auto job = job_of_call(session, arguments, one, *wanted.config);
    if (!job.ok()) {
      products.push_back(job.take_error());
      continue;
    }
    products.push_back(std::shared_ptr<const Artifact>());
    places.push_back(products.size() - 1);
    requests.push_back({.call = {}, .config = {}, .kind = kind, .job = std::move(*job)});
  }
  auto compiled = session.compile_many(requests);
  for (size_t i = 0; i < places.size(); i++) products[places[i]] = std::move(compiled[i]);
  const TimingScope writing = session.time(stage_name(Stage::WriteResults));

  const std::string list = (std::filesystem::path(options.output) / "index.json").string();
  if (one.is_input(list)) return usage_error(list + " is an input, and would be overwritten");
  std::map<std::string, int> taken;
  std::string index;
  ErrorKind worst = ErrorKind::Input;
  size_t failed = 0;
  for (size_t i = 0; i < all.size(); i++) {
    const CompilerConfig &config = *all[i].config;
    const std::string arch =
        configs.size() > 1 ? find_target(config.target).cpu(config.target) : std::string();
    index += fmt::format("{}\n  {{\"call\": {}", i ? "," : "", json_string(all[i].call));
    if (!arch.empty()) index += fmt::format(", \"arch\": {}", json_string(arch));
    auto text = products[i].ok() ? result_text(options, config, **products[i])
                                 : Result<std::string>(products[i].error());
    const std::string stem = stem_of(all[i].call) + (arch.empty() ? "" : "." + arch);
    const int number = ++taken[stem];
    const std::string file =
        stem + (number > 1 ? fmt::format("-{}", number) : "") + "." + extension_of(options, config);
    if (text.ok()) {
      const std::string path = (std::filesystem::path(options.output) / file).string();
      Result<void> written = one.is_input(path)
                                 ? usage_error(fmt::format("{} is an input, and would be overwritten", path))
                                 : write_result(path, *text);
      if (!written.ok()) text = written.take_error();
    }
    if (text.ok()) {
      if ((*products[i])->kind == ArtifactKind::Cubin) warn_of_spills(**products[i]);
      index += fmt::format(", \"file\": {}, \"entry\": {}}}", json_string(file),
                           json_string((*products[i])->entry));
    } else {
      failed++;
      report(text.error());
      if (text.error().kind() > worst) worst = text.error().kind();
      index += fmt::format(", \"error\": {}, \"number\": {}}}",
                           json_string(text.error().diagnostics()[0].message), int(text.error().code()));
    }
  }
  KILN_CHECK(
      write_result((std::filesystem::path(options.output) / "index.json").string(), "[" + index + "\n]\n"));
  if (!options.output.ends_with('/')) // without the final slash, the user may expect a file
    note(fmt::format("{} is a folder: it has {} and index.json", options.output,
                     counted(all.size() - failed, "file")));
  if (failed) return Error(general_code(worst), fmt::format("{} of {} jobs failed", failed, all.size()));
  return {};
}

} // namespace kiln::tool
