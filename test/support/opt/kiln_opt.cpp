// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln-opt: runs single rewrites over a module as text and prints what they make of it, as LLVM's opt does
// with its passes.
//
//   kiln-opt --rewrite NAME... [--finish] [--asm] [--target TARGET] [--arch ARCH] [OPTIONS] [FILE.ll]
//   kiln-opt --list [--target TARGET]
//
// Names are those of the timing table: the common ones of rewrites.def, and the target's own. --finish runs
// the target's last changes before code generation, --asm prints assembly in place of IR. The options are
// those parts of a job that rewrites ask for. Without a file the text is standard input. Exit statuses as
// kiln's: 0 done, 1 the input is wrong, 2 wrong usage, 4 Kiln's own fault (the rewrite's result is no valid
// IR).
#include <architectures/architectures.h>
#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>
#include <targets/targets.h>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include <cstdio>
#include <iostream>
#include <iterator>

using namespace kiln;

namespace {

constexpr size_t max_file_bytes = size_t(1) << 30;

struct Options {
  std::vector<std::string> rewrites;
  std::string file = "-", target = "native", arch;
  CompilerConfig config; ///< of the job, but its target
  bool list = false, finish = false, assembly = false, packed = false, no_kernel = false, fast_math = false;
};

struct NamedRewrite {
  RewritePhase phase;
  Rewrite rewrite;
};

/// All rewrites of jobs for the target, in the order in which a job meets them.
std::vector<NamedRewrite> rewrites_of(const Target &target) {
  std::vector<NamedRewrite> all;
  for (RewritePhase phase : {RewritePhase::Emitted, RewritePhase::Linked})
    for (const Rewrite &rewrite : rewrites_in_order(phase, target)) all.push_back({phase, rewrite});
  return all;
}

Result<Rewrite> find_rewrite(const std::vector<NamedRewrite> &all, std::string_view name,
                             const Target &target) {
  std::vector<std::string_view> names;
  for (const NamedRewrite &each : all) {
    if (each.rewrite.name == name) return each.rewrite;
    names.push_back(each.rewrite.name);
  }
  return usage_error(fmt::format("the {} target has no rewrite `{}`: there are {}", target.name(), name,
                                 fmt::join(names, ", ")));
}

/// The target's options with --arch as kiln takes it: sm_90, sm_90a, sm_100f of ptx, else the name of a CPU.
Result<TargetSpec> spec_of(const Target &target, const std::string &arch) {
  const bool is_gpu = arch.starts_with("sm_");
  const auto gpu = parse_arch(arch);
  if (is_gpu && !gpu) return usage_error(fmt::format("--arch takes sm_<number>, not `{}`", arch));
  bool is_taken = arch.empty();
  auto spec = target.read_spec([&](std::string_view name, TargetOptionPlace place) -> Result<void> {
    if (name == "sm" && gpu) *std::get<int *>(place) = gpu->sm, is_taken = true;
    if (name == "arch_specific") *std::get<bool *>(place) = gpu && gpu->variant == ArchVariant::Specific;
    if (name == "family_specific") *std::get<bool *>(place) = gpu && gpu->variant == ArchVariant::Family;
    if (name == "cpu" && !is_gpu) *std::get<std::string *>(place) = arch, is_taken = true;
    return {};
  });
  if (!spec.ok()) return spec;
  if (!is_taken) return usage_error(fmt::format("--arch {} is not for --target {}", arch, target.name()));
  return target.check(std::move(*spec));
}

Result<std::string> read_input(const std::string &file) {
  if (file != "-") return read_file(file, max_file_bytes);
  return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

Result<std::string> rewrite(const Options &options, const Target &target) {
  const std::vector<NamedRewrite> all = rewrites_of(target);
  std::vector<Rewrite> wanted;
  for (const std::string &name : options.rewrites) {
    KILN_TRY(Rewrite found, find_rewrite(all, name, target));
    wanted.push_back(found);
  }
  CompilerConfig config = options.config;
  KILN_TRY(config.target, spec_of(target, options.arch));
  config.target.fast_math = options.fast_math;
  config.kernel = !options.no_kernel;
  if (options.packed) config.entry_abi = EntryAbi::Packed;
  KILN_TRY(std::string text, read_input(options.file));

  const std::string name = options.file == "-" ? "<stdin>" : options.file;
  Worker worker;
  return catch_fatal_errors(worker, [&]() -> Result<std::string> {
    KILN_TRY(auto module, parse_ir(worker, text, name));
    if (auto valid = verify_ir(*module, "reading"); !valid.ok())
      return input_error(fmt::format("{} is no valid IR: {}", name, valid.error().diagnostics()[0].message));
    if (module->getTargetTriple().empty())
      module->setTargetTriple(llvm::Triple(target.triple(config.target)));
    if (module->getDataLayoutStr().empty()) module->setDataLayout(target.data_layout(config.target));
    // Without its folder: a test that excludes a word from the output must not depend on where the tree lies.
    const std::string short_name = name.substr(name.rfind('/') + 1);
    module->setModuleIdentifier(short_name);
    module->setSourceFileName(short_name);
    for (const Rewrite &each : wanted) {
      KILN_CHECK(each.run(target, config, *module));
      KILN_CHECK(verify_ir(*module, each.name));
    }
    if (options.finish) {
      KILN_CHECK(target.finish_ir(config, *module));
      KILN_CHECK(verify_ir(*module, "finish"));
    }
    if (!options.assembly) return print_ir(*module);
    KILN_TRY(std::string assembly,
             worker.generate(*module, machine_spec(target, config), OutputKind::Assembly));
    return target.finish_assembly(config, std::move(assembly));
  });
}

Result<std::string> run(const Options &options) {
  const Target *target = find_target(options.target);
  if (!target) return usage_error(fmt::format("there is no target `{}`", options.target));
  if (!options.list) {
    if (options.rewrites.empty() && !options.finish && !options.assembly)
      return usage_error("name a rewrite: --rewrite NAME (--list tells which there are), --finish or --asm");
    return rewrite(options, *target);
  }
  std::string text;
  for (const NamedRewrite &each : rewrites_of(*target))
    text += fmt::format("{}: {}\n", each.phase == RewritePhase::Emitted ? "emitted" : "linked",
                        each.rewrite.name);
  return text;
}

int guarded_main(int argc, char **argv) {
  CLI::App app{"Runs single rewrites of Kiln over LLVM IR as text.", "kiln-opt"};
  Options options;
  app.add_option("file", options.file, "LLVM IR as text; - or none: standard input")->type_name("FILE.ll");
  app.add_option("--rewrite", options.rewrites, "a rewrite, by its name; several run in the order given")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_flag("--list", options.list, "the target's rewrites with their phases, in their order");
  app.add_flag("--finish", options.finish, "the target's last changes, after the rewrites");
  app.add_flag("--asm", options.assembly, "print assembly in place of IR");
  app.add_option("--target", options.target, "native (default), ptx or spirv")->type_name("TARGET");
  app.add_option("--arch", options.arch, "sm_90, ... for ptx; a CPU name of LLVM for native")
      ->type_name("ARCH");
  app.add_option("-g", options.config.debug_level, "debug level of the job")->check(CLI::Range(0, 2));
  app.add_flag("--fastmath", options.fast_math, "of the job: relaxed floating point");
  app.add_flag("--always-inline", options.config.always_inline, "of the job: inline every call");
  app.add_flag("--no-kernel", options.no_kernel, "the job is a plain function");
  app.add_flag("--packed", options.packed, "of the job: the packed entry ABI");
  app.add_flag("--interruptible", options.config.interruptible, "of the job: it can have a time limit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &wanted) { // --help
    return app.exit(wanted);
  } catch (const CLI::ParseError &e) {
    std::fprintf(stderr, "%s\n", render(usage_error(e.what()), /*colour=*/false).c_str());
    return int(ErrorKind::Usage);
  }
  Result<std::string> done = run(options);
  if (!done.ok()) {
    std::fprintf(stderr, "%s\n", render(done.error(), /*colour=*/false).c_str());
    return int(done.error().kind());
  }
  return std::fwrite(done->data(), 1, done->size(), stdout) == done->size() && std::fflush(stdout) == 0
             ? 0
             : int(ErrorKind::Machine);
}

} // namespace

int main(int argc, char **argv) {
  try {
    return guarded_main(argc, argv);
  } catch (const std::exception &e) { // memory, or a mistake in an option's definition
    std::fprintf(stderr, "%s\n", render(internal_error(e.what()), /*colour=*/false).c_str());
    return int(ErrorKind::Internal);
  }
}
