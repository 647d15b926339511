// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <lowered/lowered.h>

#include <catch2/catch.hpp>

/// What every test of lowered code needs: types, a module whose names stand for functions, the builtin that
/// the SSA construction calls.
struct LoweredFixture {
  kiln::TypeContext types;
  kiln::Module module{types.symbol("M"), nullptr};
  kiln::Value throw_undef_var =
      kiln::Value::singleton(types.new_function_type(types.symbol("throw_undef_var"), "Core"));

  /// A builder with the function itself and the named arguments.
  kiln::CodeBuilder builder(std::initializer_list<const char *> arguments = {"x", "y"}) {
    kiln::CodeBuilder b(types, types.symbol("f"), {1, 0, 1});
    b.add_argument(types.symbol("#self#"));
    for (const char *name : arguments) b.add_argument(types.symbol(name));
    return b;
  }
  kiln::Operand global(kiln::CodeBuilder &b, const char *name) {
    return b.global(&module, types.symbol(name));
  }
  kiln::Operand integer(kiln::CodeBuilder &b, int64_t value) { return b.constant(types.int64(value)); }
  kiln::CodeInfo finish(kiln::CodeBuilder &b) {
    auto code = b.finish();
    if (!code.ok()) FAIL(code.error().diagnostics()[0].message);
    return std::move(code).value();
  }
  kiln::SsaCode ssa(const kiln::CodeInfo &code) { return kiln::to_ssa(types, code, throw_undef_var); }
};

/// Every fault of an SSA form, found without the component's own graph code; empty if it is sound.
std::vector<std::string> ssa_faults(const kiln::SsaCode &code);
