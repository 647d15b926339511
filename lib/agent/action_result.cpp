// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "action_result.h"

#include <optional>

namespace kiln {

namespace {

enum WireType : uint32_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

// Field numbers of remote_execution.proto.
enum ResultField : uint32_t { OutputFiles = 2, ExitCode = 4, StdoutRaw = 5 };
enum FileField : uint32_t { Path = 1, FileDigest = 2 };
enum DigestField : uint32_t { Hash = 1, SizeBytes = 2 };

// ---- writing

void add_varint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += char(uint8_t(value) | 0x80);
  out += char(value);
}
void add_bytes(std::string &out, uint32_t field, std::string_view bytes) {
  add_varint(out, field << 3 | Bytes);
  add_varint(out, bytes.size());
  out += bytes;
}

// ---- reading

struct Field {
  uint32_t number = 0;
  WireType type = Varint;
  uint64_t value = 0;     ///< of Varint
  std::string_view bytes; ///< of Bytes
};

class FieldReader {
public:
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}
  /// Decodes the next field of the message. Empty: the message has ended, or is malformed (failed()).
  std::optional<Field> next() {
    if (bytes_.empty() || failed_) return std::nullopt;
    const uint64_t key = varint();
    Field field{.number = uint32_t(key >> 3), .type = WireType(key & 7)};
    if (key >> 32 != 0 || field.number == 0) failed_ = true;
    switch (field.type) {
    case Varint: field.value = varint(); break;
    case Fixed64: (void)take(8); break;
    case Fixed32: (void)take(4); break;
    case Bytes: field.bytes = take(varint()); break;
    default: failed_ = true; // protobuf groups, which the Remote Execution API does not use
    }
    return failed_ ? std::nullopt : std::optional(field);
  }
  bool failed() const { return failed_; }

private:
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const uint8_t byte = uint8_t(bytes_.front());
      bytes_.remove_prefix(1);
      value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }
  std::string_view take(uint64_t size) {
    if (failed_ || size > bytes_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, size_t(size));
    bytes_.remove_prefix(size_t(size));
    return taken;
  }

  std::string_view bytes_;
  bool failed_ = false;
};

Error no_result(std::string_view why) { return input_error(fmt::format("not an ActionResult: {}", why)); }

bool is_sha256(std::string_view hash) {
  return hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Decodes an OutputFile message and stores its digest in `result`.
Result<void> read_output_file(std::string_view bytes, ActionResult &result) {
  FieldReader file(bytes);
  std::string_view digest;
  while (const auto field = file.next())
    if (field->number == FileDigest && field->type == Bytes) digest = field->bytes;
  FieldReader reader(digest);
  while (const auto field = reader.next()) {
    if (field->number == Hash && field->type == Bytes) result.sha256 = field->bytes;
    if (field->number == SizeBytes && field->type == Varint) result.size = field->value;
  }
  if (file.failed() || reader.failed()) return no_result("damaged fields of an output file");
  if (!is_sha256(result.sha256)) return no_result("an output file without a SHA-256 digest");
  return {};
}

} // namespace

std::string write_action_result(const ActionResult &result) {
  std::string out;
  if (!result.inline_bytes.empty()) {
    add_bytes(out, StdoutRaw, result.inline_bytes);
    return out;
  }
  std::string digest, file;
  add_bytes(digest, Hash, result.sha256);
  add_varint(digest, SizeBytes << 3 | Varint);
  add_varint(digest, result.size);
  add_bytes(file, Path, "kiln-entry");
  add_bytes(file, FileDigest, digest);
  add_bytes(out, OutputFiles, file);
  return out;
}

Result<ActionResult> read_action_result(std::string_view bytes) {
  FieldReader reader(bytes);
  ActionResult result;
  unsigned files = 0;
  while (const auto field = reader.next()) {
    if (field->number == StdoutRaw && field->type == Bytes) result.inline_bytes = field->bytes;
    if (field->number == ExitCode && field->type == Varint && field->value != 0)
      return no_result("the result of a failed action");
    if (field->number == OutputFiles && field->type == Bytes) {
      files++;
      KILN_CHECK(read_output_file(field->bytes, result));
    }
  }
  if (reader.failed()) return no_result("its bytes are no protobuf message");
  if (files + (result.inline_bytes.empty() ? 0 : 1) != 1) return no_result("it has not exactly one payload");
  return result;
}

} // namespace kiln
