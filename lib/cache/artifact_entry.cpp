// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "artifact_entry.h"

namespace kiln {

namespace {

void add(ByteWriter &out, const KernelResources &resources) {
  const auto &[registers, stack_bytes, spill_store_bytes, spill_load_bytes, shared_bytes, constant_bytes,
               barriers] = resources; // lists all fields: adding one fails to compile here
  for (uint32_t field :
       {registers, stack_bytes, spill_store_bytes, spill_load_bytes, shared_bytes, constant_bytes, barriers})
    out.add(field);
}

KernelResources read_resources(ByteReader &in) {
  KernelResources r;
  for (uint32_t *field : {&r.registers, &r.stack_bytes, &r.spill_store_bytes, &r.spill_load_bytes,
                          &r.shared_bytes, &r.constant_bytes, &r.barriers})
    *field = in.number<uint32_t>();
  return r;
}

void add(ByteWriter &out, const Coarsening &coarsening) {
  // Lists all fields: adding one fails to compile here.
  const auto &[factor, entry, arrays, in_step] = coarsening;
  out.add(factor);
  if (!factor) return;
  out.add(entry).add(uint32_t(arrays.size()));
  for (const auto &[parameter, offset, stride, shift, is_written, is_wide] : arrays)
    out.add(parameter).add(offset).add(stride).add(shift).add(uint8_t(is_written)).add(uint8_t(is_wide));
  out.add(uint8_t(in_step));
}

Coarsening read_coarsening(ByteReader &in) {
  Coarsening c;
  c.factor = in.number<uint32_t>();
  if (!c.factor) return c;
  c.entry = in.text();
  c.arrays.resize(in.count(18));
  for (Coarsening::Array &array : c.arrays) {
    array.parameter = in.number<uint32_t>();
    array.offset = in.number<uint32_t>();
    array.stride = in.number<uint32_t>();
    array.shift = in.number<int32_t>();
    array.is_written = in.boolean();
    array.is_wide = in.boolean();
  }
  c.in_step = in.boolean();
  return c;
}

} // namespace

uint32_t content_kind(std::string_view content) { return ByteReader(content).number<uint32_t>(); }

std::string artifact_content(const Artifact &artifact, const EntryNote &note) {
  const auto &[kind, bytes, entry, parameters, has_kernel_state, needs_cooperative_launch, blocks_along_y,
               return_size, return_type, shared_bytes, resources, coarsening, assembler, device_library,
               merged,
               session_bound] = artifact; // lists all fields: adding one fails to compile here
  assert(!session_bound && "what names places of this process is not kept beyond it");
  assert(!merged && "a kernel among others is kept as a MergedMember");
  ByteWriter out;
  out.add(ContentKind::Artifact).add(kind).add(bytes).add(entry).add(uint32_t(parameters.size()));
  for (const auto &[argument, size, align] : parameters) out.add(argument).add(size).add(align);
  out.add(uint8_t(has_kernel_state))
      .add(uint8_t(needs_cooperative_launch))
      .add(uint8_t(blocks_along_y))
      .add(return_size)
      .add(return_type)
      .add(shared_bytes);
  add(out, resources);
  add(out, coarsening);
  out.add(assembler).add(device_library).add(note.compile_ms).add(uint32_t(note.fields.size()));
  for (const auto &[name, value] : note.fields) out.add(name).add(value);
  return out.take();
}

Result<StoredArtifact> read_artifact(std::string_view content) {
  ByteReader in(content);
  if (in.number<uint32_t>() != uint32_t(ContentKind::Artifact)) in.fail();
  StoredArtifact stored;
  Artifact &a = stored.artifact;
  a.kind = ArtifactKind(in.number_up_to(uint8_t(ArtifactKind::Cubin)));
  a.bytes = in.text();
  a.entry = in.text();
  a.parameters.resize(in.count(16));
  for (Artifact::Parameter &p : a.parameters) {
    p.argument = in.number<uint32_t>();
    p.size = in.number<uint64_t>();
    p.align = in.number<uint32_t>();
  }
  a.has_kernel_state = in.boolean();
  a.needs_cooperative_launch = in.boolean();
  a.blocks_along_y = in.boolean();
  a.return_size = in.number<uint64_t>();
  a.return_type = in.text();
  a.shared_bytes = in.number<uint64_t>();
  a.resources = read_resources(in);
  a.coarsening = read_coarsening(in);
  a.assembler = in.text();
  a.device_library = in.text();
  stored.note.compile_ms = in.number<double>();
  stored.note.fields.resize(in.count(8));
  for (KeyField &field : stored.note.fields) {
    field.name = in.text();
    field.value = in.text();
  }
  if (!in.at_end()) return input_error("a damaged entry: it holds no artifact");
  return stored;
}

std::string member_content(const MergedMember &member) {
  const auto &[object, resources, assembler] = member;
  ByteWriter out;
  out.add(ContentKind::Member).add(object).add(assembler);
  add(out, resources);
  return out.take();
}

Result<MergedMember> read_member(std::string_view content) {
  ByteReader in(content);
  if (in.number<uint32_t>() != uint32_t(ContentKind::Member)) in.fail();
  MergedMember member;
  member.object = in.fingerprint();
  member.assembler = in.text();
  member.resources = read_resources(in);
  if (!in.at_end()) return input_error("a damaged entry: it holds no member of a merged cubin");
  return member;
}

bool is_for_launches_alone(std::string_view content) {
  if (content_kind(content) == uint32_t(ContentKind::Member)) return true;
  Result<StoredArtifact> stored = read_artifact(content);
  if (!stored.ok()) return false;
  for (const KeyField &field : stored->note.fields)
    if (field.name == "kind") return field.value == merged_cubin_kind;
  return false;
}

std::string text_content(std::string_view text) {
  ByteWriter out;
  return out.add(ContentKind::Text).add(text).take();
}

Result<std::string> read_text(std::string_view content) {
  ByteReader in(content);
  if (in.number<uint32_t>() != uint32_t(ContentKind::Text)) in.fail();
  std::string text(in.text());
  if (!in.at_end()) return input_error("a damaged entry: it holds no text");
  return text;
}

} // namespace kiln
