// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the toolkit's programs as separate processes: ptxas, for toolkits without nvJitLink, and the
// disassembler. Each call has a temporary folder for its files.
#include "architectures.h"

#include "assembler.h"
#include "passes.h"
#include "ptx.h"
#include <kiln/extension/language/internal/hint.h>

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <optional>

namespace kiln::ptx {
namespace {

/// A new folder in the system's temporary folder. The destructor removes it.
class TemporaryFolder {
public:
  static Result<TemporaryFolder> make() {
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createUniqueDirectory("kiln-ptxas", path))
      return machine_error("cannot make a temporary folder: " + error.message(),
                           "TMPDIR names another place");
    return TemporaryFolder(std::string(path));
  }
  TemporaryFolder(TemporaryFolder &&other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder() {
    if (!path_.empty()) llvm::sys::fs::remove_directories(path_);
  }
  std::string file(const char *name) const { return path_ + "/" + name; }

private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

struct Outcome {
  int status = 0;
  std::string text; ///< both streams
};

Result<Outcome> run(const std::string &program, const std::vector<std::string> &arguments,
                    const TemporaryFolder &folder) {
  std::vector<llvm::StringRef> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::string output = folder.file("log"), failure;
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(output),
                                                llvm::StringRef(output)};
  Outcome outcome;
  outcome.status =
      llvm::sys::ExecuteAndWait(program, words, std::nullopt, redirects, /*SecondsToWait=*/600, 0, &failure);
  if (outcome.status < 0) return machine_error(fmt::format("{} cannot run: {}", program, failure));
  KILN_TRY(outcome.text, read_file(output));
  return outcome;
}

class Ptxas final : public ToolkitAssembler {
public:
  Ptxas(std::string path, std::string version)
      : path_(std::move(path)), identity_("ptxas " + std::move(version)) {}
  const std::string &identity() const override { return identity_; }
  const std::string &path() const override { return path_; }

private:
  Result<Output> make(const CompilerConfig &config, const std::vector<std::string> &options,
                      const std::string &text, const SourceMap &sources) const override {
    for (const LinkedFile &file : config.linked)
      if (!is_llvm_ir(file))
        return machine_error(
            fmt::format("{} cannot be linked: {} assembles one text and links nothing", file.name, identity_),
            "libnvJitLink of the CUDA toolkit (or the PyPI package nvidia-nvjitlink) links; KILN_ASSEMBLER=ptxas turns it off");
    if (launches_grids(text))
      return machine_error(
          fmt::format("the kernel launches another: {} assembles one text and links no libcudadevrt.a to it",
                      identity_),
          "libnvJitLink of the CUDA toolkit (or the PyPI package nvidia-nvjitlink) links; KILN_ASSEMBLER=ptxas turns it off");
    KILN_TRY(TemporaryFolder folder, TemporaryFolder::make());
    std::string input = folder.file("kernel.ptx"), output = folder.file("kernel.cubin");
    KILN_CHECK(write_file_atomically(input, text));
    std::vector<std::string> arguments = options;
    arguments.insert(arguments.end(),
                     {"-arch=" + arch_name(arch_of(config.target.get<PtxOptions>())), "-o", output, input});
    KILN_TRY(Outcome outcome, run(path_, arguments, folder));
    if (outcome.status != 0) return assembler_error(outcome.text, text, identity_, sources);
    KILN_TRY(std::string cubin, read_file(output));
    return Output{std::move(cubin), std::move(outcome.text)};
  }

  std::string path_, identity_;
};

} // namespace

Result<std::unique_ptr<Assembler>> open_ptxas(const Found &found) {
  KILN_TRY(TemporaryFolder folder, TemporaryFolder::make());
  KILN_TRY(Outcome outcome, run(found.path, {"--version"}, folder));
  // Output of `ptxas --version`: "Cuda compilation tools, release 13.0, V13.0.88"
  size_t at = outcome.text.find(", V");
  if (outcome.status != 0 || at == std::string::npos)
    return machine_error(fmt::format("{} --version says `{}`", found.path, outcome.text));
  size_t end = outcome.text.find_first_not_of("0123456789.", at + 3);
  return std::unique_ptr<Assembler>(new Ptxas(found.path, outcome.text.substr(at + 3, end - at - 3)));
}

} // namespace kiln::ptx

namespace kiln {

Result<std::string> disassemble_cubin(std::string_view cubin) {
  Found tool = find_disassembler();
  if (tool.path.empty())
    return machine_error(fmt::format("{}: neither nvdisasm nor cuobjdump was found in {}",
                                     product_hint("sass"), tool.looked_in),
                         "install NVIDIA's CUDA toolkit, or name its folder in KILN_CUDA_HOME");
  KILN_TRY(ptx::TemporaryFolder folder, ptx::TemporaryFolder::make());
  std::string input = folder.file("kernel.cubin");
  KILN_CHECK(write_file_atomically(input, cubin));
  KILN_TRY(ptx::Outcome outcome,
           ptx::run(tool.path, {tool.path.ends_with("nvdisasm") ? "-c" : "-sass", input}, folder));
  if (outcome.status != 0) return machine_error(fmt::format("{} failed: {}", tool.path, outcome.text));
  return std::move(outcome.text);
}

} // namespace kiln
