// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "packed.h"

#include <cassert>

namespace kiln {
namespace {

class Packer {
public:
  explicit Packer(std::string &out) : out_(out) {}

  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(char(value | 0x80));
    out_.push_back(char(value));
  }
  /// Writes the signed difference of two numbers, which is short if they are close.
  void difference(uint32_t value, uint32_t from) {
    int64_t d = int64_t(value) - int64_t(from);
    number(uint64_t(d) << 1 ^ uint64_t(d >> 63));
  }

private:
  std::string &out_;
};

class Unpacker {
public:
  explicit Unpacker(std::string_view in) : in_(in) {}

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      assert(next_ < in_.size() && shift < 64);
      uint8_t byte = uint8_t(in_[next_++]);
      value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  uint32_t number32() { return uint32_t(number()); }
  uint32_t difference(uint32_t from) {
    uint64_t n = number();
    return uint32_t(int64_t(from) + (int64_t(n >> 1) ^ -int64_t(n & 1)));
  }
  bool done() const { return next_ == in_.size(); }

private:
  std::string_view in_;
  size_t next_ = 0;
};

/// Bits that say which optional fields of a statement follow. Most statements have no slot, target or
/// phi_blocks.
enum Present : uint8_t { PiWhen = 1, Slot = 2, Target = 4, PhiBlocks = 8, OtherFile = 16, Flags = 32 };

} // namespace

std::string pack(const std::vector<Stmt> &stmts) {
  std::string out;
  Packer to(out);
  to.number(stmts.size());
  Span before;
  for (const Stmt &stmt : stmts) {
    bool other_file = stmt.at.file != before.file;
    uint8_t present = uint8_t((stmt.pi_when ? PiWhen : 0) | (stmt.slot ? Slot : 0) |
                              (stmt.target ? Target : 0) | (stmt.phi_blocks.empty() ? 0 : PhiBlocks) |
                              (other_file ? OtherFile : 0) | (stmt.flags ? Flags : 0));
    to.number(uint8_t(stmt.op));
    to.number(present);
    if (present & Flags) to.number(stmt.flags);
    if (present & Slot) to.number(stmt.slot);
    if (present & Target) to.number(stmt.target);
    if (other_file) to.number(stmt.at.file);
    to.difference(stmt.at.begin, before.begin);
    to.difference(stmt.at.end, stmt.at.begin);
    to.number(stmt.args.size());
    for (Operand operand : stmt.args) to.number(uint64_t(operand.index) << 3 | uint64_t(operand.kind));
    if (present & PhiBlocks) {
      to.number(stmt.phi_blocks.size());
      for (uint32_t block : stmt.phi_blocks) to.number(block);
    }
    before = stmt.at;
  }
  out.shrink_to_fit();
  return out;
}

std::vector<Stmt> unpack(std::string_view packed) {
  Unpacker from(packed);
  std::vector<Stmt> stmts(from.number());
  Span before;
  for (Stmt &stmt : stmts) {
    stmt.op = Op(from.number());
    uint64_t present = from.number();
    stmt.pi_when = present & PiWhen;
    if (present & Flags) stmt.flags = uint8_t(from.number());
    if (present & Slot) stmt.slot = from.number32();
    if (present & Target) stmt.target = from.number32();
    stmt.at.file = present & OtherFile ? from.number32() : before.file;
    stmt.at.begin = from.difference(before.begin);
    stmt.at.end = from.difference(stmt.at.begin);
    stmt.args.resize(from.number());
    for (Operand &operand : stmt.args) {
      uint64_t n = from.number();
      operand = {Operand::Kind(n & 7), uint32_t(n >> 3)};
    }
    if (present & PhiBlocks) {
      stmt.phi_blocks.resize(from.number());
      for (uint32_t &block : stmt.phi_blocks) block = from.number32();
    }
    before = stmt.at;
  }
  assert(from.done());
  return stmts;
}

} // namespace kiln
