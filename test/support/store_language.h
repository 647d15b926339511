// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second language: programs are lines "name: p v", each a kernel that stores v at p. It makes lowered code
// with CodeBuilder, and includes no header of Kiln's inside but that of its seam.
#pragma once

#include <kiln/extension/language.h>

#include <fmt/format.h>

#include <sstream>

namespace kiln::test {

class StoreFrontend final : public Frontend {
public:
  std::string_view name() const override { return "store"; }
  std::vector<std::string_view> file_extensions() const override { return {".store"}; }

  Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) override {
    LoadReport report;
    std::istringstream lines{std::string(file->text())};
    std::string line;
    for (uint32_t begin = 0; std::getline(lines, line); begin += uint32_t(line.size()) + 1) {
      size_t colon = line.find(':');
      Span at{file->id(), begin, begin + uint32_t(line.size())};
      if (colon == std::string::npos)
        return make_error(ErrorCode::SyntaxError, "a line is `name: pointer value`",
                          world.sources().locate(at));
      KILN_TRY(Value function, world.function(into, world.types().symbol(line.substr(0, colon)), at));
      KILN_CHECK(define(world, function, world.types().symbol(line.substr(0, colon)), at));
      report.methods++;
    }
    return report;
  }
  Result<Value> evaluate(World &, Module &, std::string_view, std::string_view) override {
    return input_error("this language has no expressions");
  }
  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return input_error("this language has no overlays");
  }

  /// "put(global f32, f32)": of types there are f32, f64, i64, and `global` or `any` pointers to them.
  Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name, std::string_view text,
                                    std::span<const Capture>) override {
    const Location at{std::make_shared<const SourceFile>(0, std::string(name), std::string(text)), 0,
                      uint32_t(text.size())};
    const size_t open = text.find('(');
    if (open == text.npos || !text.ends_with(')'))
      return make_error(ErrorCode::SyntaxError, "a call is `name(type, type)`", at);
    KILN_TRY(std::optional<Value> function,
             world.lookup(in, world.types().symbol(text.substr(0, open)), world.age()));
    if (!function) return input_error(fmt::format("no function {}", text.substr(0, open)), at);
    ResolvedCall call{*function, {}, nullptr, at};
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(", "), rest.size());
      KILN_TRY(TypeRef type, type_of(world.types(), rest.substr(0, comma), at));
      call.arguments.push_back(type);
      rest.remove_prefix(std::min(comma + 2, rest.size()));
    }
    std::vector<TypeRef> all{function->type()};
    all.insert(all.end(), call.arguments.begin(), call.arguments.end());
    call.tuple = world.types().tuple(all);
    return call;
  }
  using Frontend::resolve_call;

private:
  static Result<TypeRef> type_of(TypeContext &types, std::string_view text, const Location &at) {
    const auto &b = types.builtins();
    for (auto [prefix, space] : {std::pair<std::string_view, int64_t>{"global ", 1}, {"any ", 0}}) {
      if (!text.starts_with(prefix)) continue;
      KILN_TRY(TypeRef element, type_of(types, text.substr(prefix.size()), at));
      TypeRef params[] = {element, types.constant(space)};
      return TypeRef(types.data(*b.LLVMPtrName, params));
    }
    if (text == "f32") return TypeRef(b.Float32);
    if (text == "f64") return TypeRef(b.Float64);
    if (text == "i64") return TypeRef(b.Int64);
    return input_error(fmt::format("no type `{}`", text), at);
  }

  // f(p::LLVMPtr{T,A}, v::T) where {T, A} = pointer_store(p, v, 0, Val(0)), then nothing.
  Result<void> define(World &world, const Value &function, Symbol name, Span at) {
    TypeContext &types = world.types();
    const auto &b = types.builtins();
    const TypeVar *element = types.new_var(types.symbol("T"), types.bottom(), b.Any);
    const TypeVar *space = types.new_var(types.symbol("A"), types.bottom(), b.Any);
    TypeRef params[] = {element, space};
    MethodDefinition method;
    method.module = world.main();
    method.name = name;
    method.callee = function.type();
    method.parameters = {{types.symbol("p"), types.data(*b.LLVMPtrName, params)},
                         {types.symbol("v"), element}};
    method.where = {element, space};
    method.at = at;
    method.body = [](BodyBuilder &body) -> Result<Operand> {
      TypeContext &types = body.types();
      TypeName *val = types.new_type_name(types.symbol("Val"), "Toy");
      val->params.push_back(types.new_var(types.symbol("N"), types.bottom(), types.builtins().Any));
      val->fields_defined = true;
      types.finish_type_name(*val);
      TypeRef zero[] = {types.constant(int64_t(0))};
      body.intrinsic(Intrinsic::pointer_store, {body.argument(0), body.argument(1), body.int64(0),
                                                body.constant(Value::singleton(types.data(*val, zero)))});
      return body.nothing();
    };
    KILN_CHECK(define_method(world, std::move(method)));
    return {};
  }
};

} // namespace kiln::test
