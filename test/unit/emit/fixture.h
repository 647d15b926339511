// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods written with lowered's builder, inferred, emitted; their IR as text, and plain functions run by
// LLVM's JIT.
#pragma once

#include "fake_target.h"

#include <abi/abi.h>
#include <emit/emit.h>

#include <catch2/catch.hpp>
#include <csetjmp>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>

namespace emit_test {

using namespace kiln;

struct Thrown {
  uint32_t kind = 0;
  std::string name, location;
  std::jmp_buf back;
};
inline thread_local Thrown *thrown = nullptr;

/// Statements of one method: the builder with shorthands.
struct Code : CodeBuilder {
  Code(TypeContext &types, World &world, Symbol name, Span at)
      : CodeBuilder(types, name, at), types(types), world(world) {}
  TypeContext &types;
  World &world;
  Operand arg(uint32_t i) { return Operand::slot(i); } ///< 1: the first after the function
  Operand i64(int64_t v) { return constant(types.int64(v)); }
  Operand type(TypeRef t) { return constant(Value::type_value(types, t)); }
  Operand sym(const char *text) { return constant(Value::symbol(types, types.symbol(text))); }
  Operand nothing() { return constant(types.nothing()); }
  Operand op(Intrinsic id, std::vector<Operand> args) {
    return call(constant(world.intrinsic_value(id)), std::move(args));
  }
};

struct Fixture {
  TypeContext types;
  SourceMap sources;
  CompilerWorld world{types, sources};
  CodeInstanceTable table{world};
  const TypeContext::Builtins &t = types.builtins();
  kiln::test::FakeTarget ptx{kiln::test::FakeTarget::Like::Gpu}, native{kiln::test::FakeTarget::Like::Cpu};
  llvm::LLVMContext context;
  Span at{1, 0, 3};
  using Body = std::function<void(Code &)>;

  std::shared_ptr<const kiln::SourceFile> file;
  Fixture() { file = sources.add("test.jl", "f(x)\n  g(x)\n    h(x)\nend\n"); }
  Symbol symbol(std::string_view text) { return types.symbol(text); }
  template <class T> T take(Result<T> result) {
    if (!result.ok()) FAIL(result.error().diagnostics()[0].message);
    return std::move(result).value();
  }
  Value function(const char *name) { return take(world.function(*world.main(), symbol(name), {})); }
  TypeRef apply(TypeRef type, std::initializer_list<TypeRef> params) {
    return take(types.apply(type, std::span<const TypeRef>(params.begin(), params.size())));
  }
  TypeRef ptr(TypeRef element) { return apply(t.Ptr, {element}); }
  TypeRef device_ptr(TypeRef element, int64_t space) {
    return apply(t.LLVMPtr, {element, types.constant(space)});
  }
  TypeRef structure(const char *name, std::vector<std::pair<const char *, TypeRef>> fields,
                    bool is_mutable = false) {
    TypeName *made = types.new_type_name(symbol(name), "Main");
    made->super = t.Any;
    for (auto &[field, type] : fields) {
      made->field_names.push_back(symbol(field));
      made->field_types.push_back(type);
    }
    made->is_mutable = is_mutable;
    made->fields_defined = true;
    return types.finish_type_name(*made);
  }
  /// Val{n}() for pointer_load and the like.
  Value val(const Value &content) {
    if (!val_) {
      TypeName *made = types.new_type_name(symbol("Val"), "Base");
      made->super = t.Any;
      made->params.push_back(types.new_var(symbol("x"), types.bottom(), t.Any));
      made->fields_defined = true;
      val_ = types.finish_type_name(*made);
    }
    return Value::singleton(apply(val_, {types.constant(content)}));
  }

  const Method *define(const char *name, std::vector<TypeRef> arguments, Body body, MethodHints hints = {}) {
    auto method = std::make_unique<Method>();
    std::vector<TypeRef> signature{function(name).type()};
    signature.insert(signature.end(), arguments.begin(), arguments.end());
    method->name = symbol(name);
    method->module = world.main();
    method->signature = types.tuple(signature);
    method->nargs = uint32_t(signature.size());
    method->at = at;
    method->hints = hints;
    Span here = at;
    method->lower = [=, this, name = symbol(name)]() -> Result<CodeInfo> {
      Code code(types, world, name, here);
      code.add_argument(symbol("#self#"));
      for (size_t i = 0; i < arguments.size(); ++i) code.add_argument(symbol("a" + std::to_string(i + 1)));
      body(code);
      KILN_TRY(CodeInfo info, code.finish());
      info.hints = hints;
      return info;
    };
    return take(world.define(std::move(method)));
  }

  static CompilerConfig plain() {
    CompilerConfig c;
    c.kernel = false;
    c.name = "entry";
    return c;
  }
  static CompilerConfig kernel() {
    CompilerConfig c;
    c.target = PtxOptions();
    c.name = "entry";
    return c;
  }

  Result<EmittedModule> emit_method(const Method *method, std::vector<TypeRef> arguments,
                                    const CompilerConfig &config) {
    std::vector<TypeRef> all{method->signature->as<DataType>()->params()[0]};
    all.insert(all.end(), arguments.begin(), arguments.end());
    TypeRef tuple = types.tuple(all);
    const MethodInstance *instance = world.instance(*method, tuple, {});
    const CodeInstance *code = take(table.get(*instance, InferenceFacts(), world.age()));
    CompilerJob job{instance, config, world.age()};
    return kiln::emit(types, sources, job, *code, config.target.is<PtxOptions>() ? ptx : native, context);
  }
  /// The IR of a method with these argument types; verified.
  std::string ir(const Method *method, std::vector<TypeRef> arguments,
                 const CompilerConfig &config = plain()) {
    EmittedModule emitted = take(emit_method(method, arguments, config));
    return text_of(*emitted.module);
  }
  static std::string text_of(const llvm::Module &module) {
    std::string text, problems;
    llvm::raw_string_ostream out(text), errors(problems);
    module.print(out, nullptr);
    INFO(text);
    bool broken = llvm::verifyModule(module, &errors);
    CHECK(problems == "");
    REQUIRE(!broken);
    return text;
  }
  std::string ir(std::vector<TypeRef> arguments, Body body, const CompilerConfig &config = plain()) {
    return ir(define(fresh().c_str(), arguments, std::move(body)), arguments, config);
  }

  /// Runs a plain function; what it throws ends in `exception`.
  template <class R, class... A> R run(const Method *method, std::vector<TypeRef> types, A... args) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    EmittedModule emitted = take(emit_method(method, types, plain()));
    INFO(text_of(*emitted.module));
    std::string bytes;
    llvm::raw_string_ostream(bytes) << *emitted.module;
    auto own = std::make_unique<llvm::LLVMContext>();
    auto module = parse(bytes, *own);
    auto jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    module->setDataLayout(jit->getDataLayout());
    llvm::orc::SymbolMap symbols;
    auto bind = [&](const char *name, void *address) {
      symbols[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                             llvm::JITSymbolFlags::Exported};
    };
    bind("kiln.throw", reinterpret_cast<void *>(&on_throw));
    bind("kiln.static_error", reinterpret_cast<void *>(&on_error));
    llvm::cantFail(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(symbols)));
    llvm::cantFail(jit->addIRModule({std::move(module), std::move(own)}));
    auto address = llvm::cantFail(jit->lookup("entry"));
    exception = {};
    thrown = &exception;
    if (setjmp(exception.back)) return R();
    return address.toPtr<R (*)(A...)>()(args...);
  }
  template <class R, class... A> R run(std::vector<TypeRef> types, Body body, A... args) {
    return run<R>(define(fresh().c_str(), types, std::move(body)), types, args...);
  }
  Thrown exception;

private:
  static std::unique_ptr<llvm::Module> parse(const std::string &text, llvm::LLVMContext &context);
  [[noreturn]] static void on_throw(uint32_t kind, const char *name, const char *location) {
    thrown->kind = kind;
    thrown->name = name;
    thrown->location = location;
    std::longjmp(thrown->back, 1);
  }
  static void on_error(const char *message) { thrown->name = message; }
  std::string fresh() { return "t" + std::to_string(++count_); }
  int count_ = 0;
  TypeRef val_ = nullptr;
};

inline size_t count(const std::string &text, std::string_view part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
inline bool has(const std::string &text, std::string_view part) { return count(text, part) > 0; }

} // namespace emit_test
