// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes requests to worker processes and their answers. Both processes run the same build (the handshake
// checks this), so that the layout has no version. The readers still validate everything.
#pragma once

#include "compiler.h"

#include <codegen/codegen.h>
#include <rewrite/rewrite.h>
#include <workers/workers.h>

namespace kiln {

/// Types of requests and answers. Each request is answered by Done, with the payload named in its comment, or
/// by Failed with an error.
enum class JobMessage : uint32_t {
  Assembler = first_of_jobs, ///< target name -> AssemblerAnswer
  Assemble,                  ///< AssembleRequest -> AssembledAnswer
  AssembleMerged,            ///< likewise, with several texts
  AssembleQuick,             ///< Assemble with the assembler's quick setting
  CanMerge,                  ///< payload AssembleRequest; answered by one byte, 0 or 1
  GainsFromQuick,            ///< likewise
  Compile,                   ///< CompileRequest -> CompiledAnswer
  Done,
  Failed
};

struct AssemblerAnswer {
  std::string identity, path;
  std::string quick; ///< identity of the assembler's quick setting; empty: it has none
};

/// Level of detail of the timings that the requesting process wants. Appended to each request.
enum class WantedRows : uint8_t { None, Stages, Passes };

/// Timings that a worker process measured for a request. Appended to each answer.
struct TimedWork {
  std::vector<TimingRow> rows;
  std::vector<TimingWarning> warnings;
};

struct AssembleRequest {
  CompilerConfig config;
  /// Entry name and text of each kernel, pointing into the payload. Assemble and CanMerge have a single
  /// kernel.
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
  uint32_t wanted = 0; ///< products that an observer wants to see: bit set by ArtifactKind
  Artifact facts;      ///< facts about the entry
  std::string name;    ///< module name
  std::string_view bitcode;
};

struct ModuleAnswer {
  Artifact artifact;
  std::optional<LargeFunction> large_function;
  std::vector<Fault> local_arrays;
  std::string why_not_coarse;
  std::vector<std::pair<ArtifactKind, std::string>> seen; ///< products for an observer, in order of creation
};

std::string write_assembler(const AssemblerAnswer &answer);
std::string write_assemble(const CompilerConfig &config, std::span<const AssemblerInput> inputs);
std::string write_assembled(const AssembledAnswer &answer);
std::string write_module(const CompilerConfig &config, ArtifactKind kind, uint32_t wanted,
                         const Artifact &facts, std::string_view name, std::string_view bitcode);
std::string write_module_answer(const ModuleAnswer &answer);
void append(std::string &payload, WantedRows wanted);
void append(std::string &payload, const TimedWork &work);
// Remove the part that append() added, and return it. Errors: Internal.
Result<WantedRows> take_wanted_rows(std::string_view &payload);
Result<TimedWork> take_timed_work(std::string_view &payload);
/// Encodes an error with its names, messages, notes and hints. Locations are omitted, since a worker process
/// has no sources.
std::string write_error(const Error &error);

// Decode payloads. Errors: Internal for malformed bytes. A config that its target rejects is an error, too.
Result<AssemblerAnswer> read_assembler(std::string_view payload);
Result<AssembleRequest> read_assemble(std::string_view payload, const TargetList &targets);
Result<AssembledAnswer> read_assembled(std::string_view payload);
Result<ModuleRequest> read_module(std::string_view payload, const TargetList &targets);
Result<ModuleAnswer> read_module_answer(std::string_view payload);
Error read_error(std::string_view payload);

} // namespace kiln
