// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

namespace kiln {

void DumpObserver::product(const CompilerJob &job, ArtifactKind product, std::string_view entry, std::string_view text) {
  const char *extension = "asm";
  switch (product) {
  case ArtifactKind::Lowered: extension = "lowered.jl"; break;
  case ArtifactKind::Typed: extension = "typed.jl"; break;
  case ArtifactKind::Llvm: extension = "ll"; break;
  case ArtifactKind::LlvmOpt: extension = "opt.ll"; break;
  default: extension = job.config.target.kind == TargetKind::Ptx ? "ptx" : "s"; break;
  }
  // The name tells the function; the digest keeps jobs of one name apart.
  Fingerprinter digest;
  digest.add(to_string(job.source->arguments));
  visit_fields(job.config, [&](std::string_view name, const auto &value) { digest.add(name).add(value); });
  std::string path = fmt::format("{}/{}.{}.{}", dir_, job.source->method->name.text(), digest.finish().hex().substr(0, 8), extension);
  (void)entry;
  if (auto written = write_file_atomically(path, text); !written.ok()) log_.warn("KILN_DUMP_DIR: {}", written.error().diagnostics()[0].message);
}

} // namespace kiln
