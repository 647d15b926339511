// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed statements come back as they were, and are small.
#include "fixture.h"

#include <random>

using namespace kiln;

namespace {

class Statements {
public:
  explicit Statements(uint32_t seed) : random_(seed) {}

  /// Any value of every field, extremes among them; most are small, as in real code.
  std::vector<Stmt> make() {
    std::vector<Stmt> stmts(below(40));
    for (Stmt &stmt : stmts) {
      stmt.op = Op(below(uint32_t(Op::Pi) + 1));
      stmt.flags = uint8_t(below(16));
      stmt.pi_when = below(2);
      stmt.slot = number();
      stmt.target = number();
      stmt.at = {number(), number(), number()};
      stmt.args.resize(below(5));
      for (Operand &operand : stmt.args)
        operand = {Operand::Kind(below(uint32_t(Operand::Kind::Global) + 1)), number()};
      stmt.phi_blocks.resize(below(4));
      for (uint32_t &block : stmt.phi_blocks) block = number();
    }
    return stmts;
  }

private:
  std::mt19937 random_;
  uint32_t below(uint32_t bound) { return uint32_t(random_() % bound); }
  uint32_t number() {
    switch (below(6)) {
    case 0: return uint32_t(random_());
    case 1: return UINT32_MAX;
    case 2: return 0;
    default: return below(300);
    }
  }
};

} // namespace

TEST_CASE("any statements come back as they were packed") {
  for (uint32_t seed = 0; seed < 2000; seed++) {
    std::vector<Stmt> stmts = Statements(seed).make();
    INFO("seed " << seed);
    REQUIRE(unpack(pack(stmts)) == stmts);
  }
  CHECK(unpack(pack({})).empty());
}

TEST_CASE("a statement of ordinary code takes a tenth of its memory") {
  std::vector<Stmt> stmts;
  for (uint32_t i = 0; i < 100; i++) {
    Stmt call{.op = Op::Call, .at = {7, 1000 + 12 * i, 1010 + 12 * i}};
    call.args = {{Operand::Kind::Global, i % 5}, Operand::slot(1), Operand::ssa(i)};
    stmts.push_back(call);
  }
  size_t plain = stmts.size() * (sizeof(Stmt) + 3 * sizeof(Operand));
  CHECK(pack(stmts).size() * 10 <= plain);
}
