// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests to worker processes and their answers, as bytes. Both sides are from one build (the handshake
// checks this), so that the layout has no version. The readers still validate everything.
#pragma once

#include "compiler.h"

#include <codegen/codegen.h>
#include <rewrite/rewrite.h>
#include <workers/workers.h>

namespace kiln {

/// Request types. The answer is Done with the payload named here, or Failed with an error.
enum class JobMessage : uint32_t {
  Assembler = first_of_jobs, ///< target name -> AssemblerAnswer
  Assemble,                  ///< AssembleRequest -> AssembledAnswer
  AssembleMerged,            ///< likewise, with several texts
  AssembleQuick,             ///< Assemble with the assembler's quick setting
  CanMerge,                  ///< AssembleRequest -> one byte, 0 or 1
  GainsFromQuick,            ///< likewise
  Compile,                   ///< CompileRequest -> CompiledAnswer
  Done,
  Failed
};

struct AssemblerAnswer {
  std::string identity, path;
  std::string quick; ///< identity of the quick setting; empty: none
};

/// Timing rows that the requesting process wants. Appended to each request.
enum class WantedRows : uint8_t { None, Stages, Passes };

/// Timings of a worker process. Appended to each answer.
struct TimedWork {
  std::vector<TimingRow> rows;
  std::vector<TimingWarning> warnings;
};

struct AssembleRequest {
  CompilerConfig config;
  /// Entry and text of each kernel; a single one for Assemble and CanMerge. They point into the payload.
  std::vector<AssemblerInput> inputs;
};

struct AssembledAnswer {
  std::string identity; ///< of the assembler
  std::string bytes;
  std::vector<KernelResources> resources; ///< per input
};

struct ModuleRequest {
  CompilerConfig config;
  ArtifactKind kind = ArtifactKind::Assembly;
  uint32_t wanted = 0; ///< products for an observer: one bit per ArtifactKind
  Artifact facts;      ///< facts about the entry
  std::string name;    ///< module name
  std::string_view bitcode;
};

struct ModuleAnswer {
  Artifact artifact;
  std::optional<LargeFunction> large_function;
  std::vector<Fault> local_arrays;
  std::string why_not_coarse;
  std::vector<std::pair<ArtifactKind, std::string>> seen; ///< products in the order of creation
};

std::string write_assembler(const AssemblerAnswer &answer);
std::string write_assemble(const CompilerConfig &config, std::span<const AssemblerInput> inputs);
std::string write_assembled(const AssembledAnswer &answer);
std::string write_module(const CompilerConfig &config, ArtifactKind kind, uint32_t wanted,
                         const Artifact &facts, std::string_view name, std::string_view bitcode);
std::string write_module_answer(const ModuleAnswer &answer);
void append(std::string &payload, WantedRows wanted);
void append(std::string &payload, const TimedWork &work);
// Removes the appended part. Errors: Internal.
Result<WantedRows> take_wanted_rows(std::string_view &payload);
Result<TimedWork> take_timed_work(std::string_view &payload);
/// Writes names, messages, notes and hints. Places are omitted, since the other side has no sources.
std::string write_error(const Error &error);

// Errors: Internal for malformed bytes; for a config also those of its target.
Result<AssemblerAnswer> read_assembler(std::string_view payload);
Result<AssembleRequest> read_assemble(std::string_view payload, const TargetList &targets);
Result<AssembledAnswer> read_assembled(std::string_view payload);
Result<ModuleRequest> read_module(std::string_view payload, const TargetList &targets);
Result<ModuleAnswer> read_module_answer(std::string_view payload);
Error read_error(std::string_view payload);

} // namespace kiln
