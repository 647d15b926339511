// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dump.h"

#include <job/product_name.h>

#include <filesystem>

namespace kiln {

DumpObserver::DumpObserver(std::string dir, const TargetList &targets, Log &log)
    : dir_(std::move(dir)), targets_(targets), log_(log) {
  std::error_code failed;
  std::filesystem::create_directories(dir_, failed);
  if (failed) {
    log_.warn("KILN_DUMP_DIR: cannot make {}: {}; nothing is dumped", dir_, failed.message());
    dir_.clear();
  }
}

Result<void> DumpObserver::product(const CompilerJob &job, ArtifactKind product, std::string_view text) {
  std::string_view extension;
  switch (product) {
  case ArtifactKind::Lowered: extension = "lowered.jl"; break;
  case ArtifactKind::Typed: extension = "typed.jl"; break;
  case ArtifactKind::Llvm: extension = "ll"; break;
  case ArtifactKind::LlvmOpt: extension = "opt.ll"; break;
  case ArtifactKind::Object: extension = "o"; break;
  case ArtifactKind::Cubin: extension = "cubin"; break;
  default:
    extension = targets_.of(job.config.target).capabilities(job.config.target).assembly_extension;
    break;
  }
  // The file name contains the function's name, and a digest that distinguishes jobs of the same function.
  Fingerprinter digest;
  digest.add(to_string(job.source->arguments));
  visit_fields(job.config, [&](std::string_view name, const auto &value) { digest.add(name).add(value); });
  std::string name(job.source->method->name.text());
  for (char &c : name)
    if (c == '/' || uint8_t(c) < 0x20) c = '_'; // the function `/`
  std::string path = fmt::format("{}/{}.{}.{}", dir_, name, digest.finish().hex().substr(0, 8), extension);
  if (auto written = write_file_atomically(path, text); !written.ok()) {
    log_.warn("KILN_DUMP_DIR: {}", written.error().diagnostics()[0].message);
  } else if (Timer *timer = Timer::of_thread()) {
    std::error_code failed;
    timer->note_dump(product_name(product),
                     std::filesystem::absolute(path, failed).lexically_normal().string());
  }
  return {};
}

} // namespace kiln
