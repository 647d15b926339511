// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker_jobs.h"

namespace kiln {
namespace {

Error damaged(std::string_view what) {
  return internal_error(fmt::format("a worker process's {} cannot be read", what));
}

// ---- configs

void write_value(ByteWriter &out, const FieldValue &value) {
  out.add(uint8_t(value.index()));
  if (const bool *flag = std::get_if<bool>(&value)) out.add(uint8_t(*flag));
  if (const int64_t *number = std::get_if<int64_t>(&value)) out.add(*number);
  if (const std::string *text = std::get_if<std::string>(&value)) out.add(*text);
  if (const auto *numbers = std::get_if<std::vector<uint32_t>>(&value)) {
    out.add(uint32_t(numbers->size()));
    for (const uint32_t number : *numbers) out.add(number);
  }
}

FieldValue read_value(ByteReader &in) {
  switch (in.number_up_to<uint8_t>(3)) {
  case 0: return in.boolean();
  case 1: return in.number<int64_t>();
  case 2: return std::string(in.text());
  default: break;
  }
  std::vector<uint32_t> numbers(in.count(4));
  for (uint32_t &number : numbers) number = in.number<uint32_t>();
  return numbers;
}

/// Writes only the fields that matter after emission. Hooks are omitted since they are code of the requesting
/// process, nested jobs since they are already linked.
void write_config(ByteWriter &out, const CompilerConfig &config) {
  const std::vector<ConfigField> fields = plain_fields(config);
  out.add(uint32_t(fields.size()));
  for (const ConfigField &field : fields) {
    out.add(field.name);
    write_value(out, field.value);
  }
  out.add(uint32_t(config.linked.size()));
  for (const LinkedFile &file : config.linked)
    out.add(uint8_t(file.kind)).add(file.name).add(file.digest[0]).add(file.digest[1]).add(*file.bytes);
}

Result<CompilerConfig> read_config(ByteReader &in, const TargetList &targets) {
  std::vector<ConfigField> fields(in.count(6));
  for (ConfigField &field : fields) {
    field.name = in.text();
    field.value = read_value(in);
  }
  if (in.failed()) return damaged("config");
  auto read = config_from_fields(fields, targets);
  if (!read.ok()) return read.error().kind() == ErrorKind::Usage ? read.take_error() : damaged("config");
  CompilerConfig config = std::move(*read);
  config.linked.resize(in.count(25));
  for (LinkedFile &file : config.linked) {
    file.kind = LinkedKind(in.number_up_to(uint8_t(LinkedKind::Archive)));
    file.name = in.text();
    for (uint64_t &half : file.digest) half = in.number<uint64_t>();
    file.bytes = std::make_shared<const std::string>(in.text());
  }
  if (in.failed()) return damaged("config");
  return config;
}

// ---- parts of answers

void write_resources(ByteWriter &out, const KernelResources &resources) {
  const auto &[registers, stack, stores, loads, shared, constant, barriers] = resources;
  for (const uint32_t number : {registers, stack, stores, loads, shared, constant, barriers}) out.add(number);
}

KernelResources read_resources(ByteReader &in) {
  KernelResources r;
  for (uint32_t *number : {&r.registers, &r.stack_bytes, &r.spill_store_bytes, &r.spill_load_bytes,
                           &r.shared_bytes, &r.constant_bytes, &r.barriers})
    *number = in.number<uint32_t>();
  return r;
}

/// Encodes an artifact as a cache entry does, without its mark `session_bound` (addresses of this process).
std::string content_of(Artifact artifact) {
  artifact.session_bound = false;
  return artifact_content(artifact, {});
}

} // namespace

void append(std::string &payload, WantedRows wanted) { payload.push_back(char(wanted)); }

Result<WantedRows> take_wanted_rows(std::string_view &payload) {
  if (payload.empty() || uint8_t(payload.back()) > uint8_t(WantedRows::Passes)) return damaged("request");
  const auto wanted = WantedRows(payload.back());
  payload.remove_suffix(1);
  return wanted;
}

void append(std::string &payload, const TimedWork &work) {
  ByteWriter out;
  out.add(uint32_t(work.rows.size()));
  for (const TimingRow &row : work.rows)
    out.add(row.name)
        .add(uint32_t(row.depth))
        .add(row.calls)
        .add(row.nanoseconds)
        .add(row.instructions_before)
        .add(row.instructions_after);
  out.add(uint32_t(work.warnings.size()));
  for (const TimingWarning &warning : work.warnings) out.add(warning.stage).add(warning.text);
  const std::string bytes = out.take();
  payload += bytes;
  payload += ByteWriter().add(uint32_t(bytes.size())).take();
}

Result<TimedWork> take_timed_work(std::string_view &payload) {
  if (payload.size() < 4) return damaged("ledger");
  ByteReader length(payload.substr(payload.size() - 4));
  const size_t size = length.number<uint32_t>();
  payload.remove_suffix(4);
  if (size > payload.size()) return damaged("ledger");
  ByteReader in(payload.substr(payload.size() - size));
  payload.remove_suffix(size);
  TimedWork work;
  work.rows.resize(in.count(40));
  for (TimingRow &row : work.rows) {
    row.name = in.text();
    row.depth = int(in.number_up_to<uint32_t>(10'000));
    row.calls = in.number<uint64_t>();
    row.nanoseconds = in.number<uint64_t>();
    row.instructions_before = in.number<uint64_t>();
    row.instructions_after = in.number<uint64_t>();
  }
  work.warnings.resize(in.count(8));
  for (TimingWarning &warning : work.warnings) {
    warning.stage = in.text();
    warning.text = in.text();
  }
  if (!in.at_end()) return damaged("ledger");
  return work;
}

std::string write_assembler(const AssemblerAnswer &answer) {
  return ByteWriter().add(answer.identity).add(answer.path).add(answer.quick).take();
}

Result<AssemblerAnswer> read_assembler(std::string_view payload) {
  ByteReader in(payload);
  AssemblerAnswer answer{std::string(in.text()), {}, {}};
  answer.path = in.text();
  answer.quick = in.text();
  if (!in.at_end()) return damaged("assembler");
  return answer;
}

std::string write_assemble(const CompilerConfig &config, std::span<const AssemblerInput> inputs) {
  ByteWriter out;
  write_config(out, config);
  out.add(uint32_t(inputs.size()));
  for (const AssemblerInput &input : inputs) out.add(input.entry).add(input.text);
  return out.take();
}

Result<AssembleRequest> read_assemble(std::string_view payload, const TargetList &targets) {
  ByteReader in(payload);
  AssembleRequest request;
  KILN_TRY(request.config, read_config(in, targets));
  request.inputs.resize(in.count(8));
  for (AssemblerInput &input : request.inputs) {
    input.entry = in.text();
    input.text = in.text();
  }
  if (!in.at_end() || request.inputs.empty()) return damaged("text");
  return request;
}

std::string write_assembled(const AssembledAnswer &answer) {
  ByteWriter out;
  out.add(answer.identity).add(answer.bytes).add(uint32_t(answer.resources.size()));
  for (const KernelResources &resources : answer.resources) write_resources(out, resources);
  return out.take();
}

Result<AssembledAnswer> read_assembled(std::string_view payload) {
  ByteReader in(payload);
  AssembledAnswer answer{std::string(in.text()), {}, {}};
  answer.bytes = in.text();
  answer.resources.resize(in.count(28));
  for (KernelResources &resources : answer.resources) resources = read_resources(in);
  if (!in.at_end()) return damaged("object");
  return answer;
}

std::string write_module(const CompilerConfig &config, ArtifactKind kind, uint32_t wanted,
                         const Artifact &facts, std::string_view name, std::string_view bitcode) {
  ByteWriter out;
  write_config(out, config);
  out.add(uint8_t(kind)).add(wanted).add(content_of(facts)).add(name).add(bitcode);
  return out.take();
}

Result<ModuleRequest> read_module(std::string_view payload, const TargetList &targets) {
  ByteReader in(payload);
  ModuleRequest request;
  KILN_TRY(request.config, read_config(in, targets));
  request.kind = ArtifactKind(in.number_up_to(uint8_t(ArtifactKind::Object)));
  request.wanted = in.number<uint32_t>();
  const std::string_view facts = in.text();
  request.name = in.text();
  request.bitcode = in.text();
  if (!in.at_end()) return damaged("module");
  KILN_TRY(StoredArtifact stored, read_artifact(facts));
  request.facts = std::move(stored.artifact);
  return request;
}

void write_fault(ByteWriter &out, const Fault &fault) {
  out.add(fault.reason)
      .add(uint16_t(fault.code))
      .add(fault.subject)
      .add(fault.hint)
      .add(uint32_t(fault.notes.size()));
  for (const std::string &note : fault.notes) out.add(note);
  out.add(uint32_t(fault.stack.size()));
  for (const FaultFrame &frame : fault.stack)
    out.add(frame.function).add(frame.file).add(uint32_t(frame.line)).add(uint32_t(frame.column));
}

ErrorCode read_code(ByteReader &in) {
  const ErrorCode code{in.number<uint16_t>()};
  if (name_of(code).empty()) in.fail();
  return code;
}

Fault read_fault(ByteReader &in) {
  Fault fault;
  fault.reason = in.text();
  fault.code = read_code(in);
  fault.subject = in.text();
  fault.hint = in.text();
  fault.notes.resize(in.count(4));
  for (std::string &note : fault.notes) note = in.text();
  fault.stack.resize(in.count(16));
  for (FaultFrame &frame : fault.stack) {
    frame.function = in.text();
    frame.file = in.text();
    frame.line = in.number<uint32_t>();
    frame.column = in.number<uint32_t>();
  }
  return fault;
}

std::string write_module_answer(const ModuleAnswer &answer) {
  ByteWriter out;
  out.add(content_of(answer.artifact)).add(uint8_t(answer.large_function.has_value()));
  const LargeFunction large = answer.large_function.value_or(LargeFunction());
  out.add(uint64_t(large.instructions)).add(uint64_t(large.blocks)).add(uint32_t(answer.seen.size()));
  for (const auto &[kind, text] : answer.seen) out.add(uint8_t(kind)).add(text);
  out.add(uint32_t(answer.local_arrays.size()));
  for (const Fault &fault : answer.local_arrays) write_fault(out, fault);
  out.add(answer.why_not_coarse);
  return out.take();
}

Result<ModuleAnswer> read_module_answer(std::string_view payload) {
  ByteReader in(payload);
  const std::string_view content = in.text();
  ModuleAnswer answer;
  const bool has_large = in.boolean();
  LargeFunction large;
  large.instructions = in.number<uint64_t>();
  large.blocks = in.number<uint64_t>();
  if (has_large) answer.large_function = large;
  answer.seen.resize(in.count(5));
  for (auto &[kind, text] : answer.seen) {
    kind = ArtifactKind(in.number_up_to(uint8_t(ArtifactKind::Cubin)));
    text = in.text();
  }
  answer.local_arrays.resize(in.count(16));
  for (Fault &fault : answer.local_arrays) fault = read_fault(in);
  answer.why_not_coarse = in.text();
  if (!in.at_end()) return damaged("product");
  KILN_TRY(StoredArtifact stored, read_artifact(content));
  answer.artifact = std::move(stored.artifact);
  return answer;
}

std::string write_error(const Error &error) {
  ByteWriter out;
  out.add(uint32_t(error.diagnostics().size()));
  for (const Diagnostic &diagnostic : error.diagnostics()) {
    out.add(uint16_t(diagnostic.code))
        .add(diagnostic.exception)
        .add(diagnostic.subject)
        .add(diagnostic.message)
        .add(diagnostic.hint)
        .add(uint32_t(diagnostic.notes.size()));
    for (const Note &note : diagnostic.notes) out.add(note.text);
  }
  return out.take();
}

Error read_error(std::string_view payload) {
  ByteReader in(payload);
  std::vector<Diagnostic> diagnostics(in.count(16));
  for (Diagnostic &diagnostic : diagnostics) {
    diagnostic.code = read_code(in);
    diagnostic.exception = in.text();
    diagnostic.subject = in.text();
    diagnostic.message = in.text();
    diagnostic.hint = in.text();
    diagnostic.notes.resize(in.count(4));
    for (Note &note : diagnostic.notes) note.text = in.text();
  }
  if (!in.at_end() || diagnostics.empty()) return damaged("error");
  return Error(std::move(diagnostics));
}

} // namespace kiln
