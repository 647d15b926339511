// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of worker processes and what they answer, as bytes and back. Both sides are of one build (the
// handshake sees to that), so the layout has no version of its own; the readers trust nothing all the same.
#pragma once

#include "compiler.h"

#include <codegen/codegen.h>
#include <rewrite/rewrite.h>
#include <workers/workers.h>

namespace kiln {

/// Requests, and how each is answered: Done with what its reader below reads, or Failed with an error.
enum class JobMessage : uint32_t {
  Assembler = first_of_jobs, ///< AssemblerAnswer of a target's name
  Assemble,                  ///< AssembleRequest -> AssembledAnswer
  AssembleMerged,            ///< the same with several texts
  AssembleQuick,             ///< Assemble by the quick setting of the assembler
  CanMerge,                  ///< AssembleRequest -> one byte, 0 or 1
  GainsFromQuick,            ///< the same
  Compile,                   ///< CompileRequest -> CompiledAnswer
  Done,
  Failed
};

struct AssemblerAnswer {
  std::string identity, path;
  std::string quick; ///< identity of its quick setting; empty: it has none
};

/// What is wanted of the ledger of a worker process. Behind each request.
enum class WantedRows : uint8_t { None, Stages, Passes };

/// What a worker process timed. Behind each answer.
struct TimedWork {
  std::vector<TimingRow> rows;
  std::vector<TimingWarning> warnings;
};

struct AssembleRequest {
  CompilerConfig config;
  /// Entry and text of each kernel: one of Assemble and CanMerge. They point into the payload that was read.
  std::vector<AssemblerInput> inputs;
};

struct AssembledAnswer {
  std::string identity; ///< of the assembler that did it
  std::string bytes;
  std::vector<KernelResources> resources; ///< of each input
};

struct ModuleRequest {
  CompilerConfig config;
  ArtifactKind kind = ArtifactKind::Assembly;
  uint32_t wanted = 0; ///< products that an observer wants: a bit an ArtifactKind
  Artifact facts;      ///< about the entry
  std::string name;    ///< of the module
  std::string_view bitcode;
};

struct ModuleAnswer {
  Artifact artifact;
  std::optional<LargeFunction> large_function;
  std::vector<Fault> local_arrays;
  std::string why_not_coarse;
  std::vector<std::pair<ArtifactKind, std::string>> seen; ///< products, in the order in which they were made
};

std::string write_assembler(const AssemblerAnswer &answer);
std::string write_assemble(const CompilerConfig &config, std::span<const AssemblerInput> inputs);
std::string write_assembled(const AssembledAnswer &answer);
std::string write_module(const CompilerConfig &config, ArtifactKind kind, uint32_t wanted,
                         const Artifact &facts, std::string_view name, std::string_view bitcode);
std::string write_module_answer(const ModuleAnswer &answer);
void append(std::string &payload, WantedRows wanted);
void append(std::string &payload, const TimedWork &work);
// Take off what was appended. Errors: Internal.
Result<WantedRows> take_wanted_rows(std::string_view &payload);
Result<TimedWork> take_timed_work(std::string_view &payload);
/// Names, messages, notes and hints; places stay behind, since the other side has no sources.
std::string write_error(const Error &error);

// Errors: Internal, for bytes that are none of these; of a config also those of its target.
Result<AssemblerAnswer> read_assembler(std::string_view payload);
Result<AssembleRequest> read_assemble(std::string_view payload, const TargetList &targets);
Result<AssembledAnswer> read_assembled(std::string_view payload);
Result<ModuleRequest> read_module(std::string_view payload, const TargetList &targets);
Result<ModuleAnswer> read_module_answer(std::string_view payload);
Error read_error(std::string_view payload);

} // namespace kiln
