// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "julia_fixture.h"

using namespace kiln;

namespace {

/// Lowers every method that is there and lists those that fail or lack something.
std::string lower_everything(JuliaFixture &f, Module &module) {
  std::string faults;
  for (Symbol name : f.world.names(module)) {
    auto value = f.world.lookup(module, name, f.world.age());
    if (!value.ok()) {
      faults += std::string(name.text()) + ": " + value.error().what() + "\n";
      continue;
    }
    if (!*value || (*value)->as_module()) continue;
    for (const Method *method : f.world.methods_of(f.types.type_of(**value), {}, f.world.age())) {
      if (method->generate)
        continue; // its code follows from the types of a call: test/language/values makes some
      auto code = method->code(f.types);
      if (!code.ok()) {
        faults += code.error().what() + "\n";
        continue;
      }
      for (const Stmt &stmt : (*code)->stmts)
        if (stmt.op == Op::Call && stmt.args[0].kind == Operand::Kind::Const &&
            f.world.intrinsic((*code)->constants[stmt.args[0].index].type()) == Intrinsic::compile_error)
          faults +=
              f.sources.describe(stmt.at) + ": " + to_string((*code)->constants[stmt.args[1].index]) + "\n";
      // Every global that is read exists.
      for (const GlobalName &global : (*code)->globals)
        if (!f.world.is_defined(*global.module, global.name))
          faults += f.sources.describe(method->at) + ": " + std::string(global.name.text()) +
                    " is not defined in " + global.module->full_name() + "\n";
    }
  }
  return faults;
}

} // namespace

TEST_CASE("The base library loads whole and lowers whole") {
  JuliaFixture f;
  CHECK(f.base_faults == "");
  CHECK(lower_everything(f, *f.world.base()) == "");
}

TEST_CASE("The device library loads whole and lowers whole") {
  JuliaFixture f;
  Module *cuda = f.world.module(f.types.symbol("CUDA"), nullptr);
  f.base_faults.clear();
  f.load_library("CUDA");
  CHECK(f.base_faults == "");
  CHECK(lower_everything(f, *cuda) == "");
}

TEST_CASE("The library of KernelAbstractions loads whole and lowers whole") {
  JuliaFixture f;
  Module *abstractions = f.world.module(f.types.symbol("KernelAbstractions"), nullptr);
  f.base_faults.clear();
  f.load_library("CUDA");
  f.load_library("KernelAbstractions");
  CHECK(f.base_faults == "");
  CHECK(lower_everything(f, *abstractions) == "");
}
