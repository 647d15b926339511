// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "language.h"

#include "definitions.h"
#include "prelude.h"

namespace lisp {

using namespace kiln;

namespace {

/// Defines every form of a file, even after a faulty one. The error lists all faults.
Result<void> define_all(Definer &definer, TypeContext &types, const SourceFile &file, Symbol overlay = {}) {
  KILN_TRY(auto forms, read(types, file));
  std::vector<Diagnostic> faults;
  for (const Node &form : forms) {
    auto defined = definer.form(form, overlay);
    if (defined.ok()) continue;
    for (const Diagnostic &fault : defined.error().diagnostics()) faults.push_back(fault);
  }
  if (!faults.empty()) return Error(std::move(faults));
  return {};
}

} // namespace

Result<void> Language::load_library(World &world, std::span<const OverlayFiles> overlays) {
  for (const OverlayFiles &each : overlays) overlays_.emplace_back(each.overlay.text());
  auto file = world.sources().add("lisp/prelude.lisp", std::string(prelude), true);
  LoadReport report;
  Definer definer(names, host_.interpreter, names.library, overlays_, true, report);
  return define_all(definer, names.types, *file);
}

Result<LoadReport> Language::load(World &, Module &into, std::shared_ptr<const SourceFile> file) {
  const TimingScope row(host_.timer, "front end");
  LoadReport report;
  Definer definer(names, host_.interpreter, into, overlays_, false, report);
  definer.on_value = on_value;
  KILN_CHECK(define_all(definer, names.types, *file));
  return report;
}

Result<LoadReport> Language::load_overlay(World &, Module &into, Symbol overlay,
                                          std::shared_ptr<const SourceFile> file) {
  LoadReport report;
  Definer definer(names, host_.interpreter, into, overlays_, false, report);
  KILN_CHECK(define_all(definer, names.types, *file, overlay));
  return report;
}

Result<Value> Language::evaluate(World &world, Module &in, std::string_view name, std::string_view text) {
  auto file = world.sources().add(std::string(name), std::string(text));
  KILN_TRY(auto forms, read(names.types, *file));
  if (forms.size() != 1)
    return make_error(ErrorCode::SyntaxError, "this is not one expression", {file, 0, uint32_t(text.size())});
  LoadReport report;
  return Definer(names, host_.interpreter, in, overlays_, false, report).evaluate(forms[0]);
}

/// A type; for a function, the function's type.
Result<TypeRef> Language::argument(Module &in, const Node &node) {
  if (!node.is_name()) return names.type(in, node, {}, false);
  KILN_TRY(Value value, names.value(in, node));
  return value.as_type() ? value.as_type() : names.types.type_of(value);
}

/// Resolves a call: "(saxpy (Array f32) f32)", or "saxpy" only.
Result<ResolvedCall> Language::resolve_call(World &world, Module &in, std::string_view name,
                                            std::string_view text, std::span<const Capture>) {
  auto file = world.sources().add(std::string(name), std::string(text));
  const Location at{file, 0, uint32_t(text.size())};
  KILN_TRY(auto forms, read(names.types, *file));
  if (forms.size() != 1) return make_error(ErrorCode::SyntaxError, "a call is (function Type...)", at);
  const bool is_list = forms[0].is_list() && !forms[0].items.empty();
  const Node &callee = is_list ? forms[0].items[0] : forms[0];
  if (!callee.is_name()) return make_error(ErrorCode::SyntaxError, "a call is (function Type...)", at);
  KILN_TRY(Value function, names.value(in, callee));
  std::vector<TypeRef> arguments;
  for (size_t i = 1; i < forms[0].items.size(); i++) {
    KILN_TRY(TypeRef type, argument(in, forms[0].items[i]));
    arguments.push_back(type);
  }
  ResolvedCall call = call_of(world, function, arguments);
  call.at = at;
  return call;
}

/// Resolves a launch by name. Types are those of this language or of kiln::Argument.
Result<ResolvedCall> Language::resolve_launch(World &world, Module &in, std::string_view function,
                                              std::span<const std::string_view> argument_types) {
  auto file = world.sources().add("launch", std::string(function));
  Node name{Node::Kind::Name, names.types.symbol(function), {}, {}, {}};
  name.at = {file->id(), 0, uint32_t(function.size())};
  KILN_TRY(Value callee, names.value(in, name));
  std::vector<TypeRef> arguments;
  for (std::string_view text : argument_types) {
    KILN_TRY(TypeRef type, argument_type(world, in, text));
    if (!type) {
      auto written = world.sources().add("argument type", std::string(text));
      KILN_TRY(auto forms, read(names.types, *written));
      if (forms.size() != 1)
        return make_error(ErrorCode::TypeError, "`" + std::string(text) + "` is no type");
      KILN_TRY(type, names.type(in, forms[0], {}, false));
    }
    arguments.push_back(type);
  }
  return call_of(world, callee, arguments);
}

namespace {

/// Prints messages in the language's spelling: (f i64 (Array f32 1)).
class LispPrinter final : public Printer {
public:
  explicit LispPrinter(const Names &names) : names_(names) {}
  std::string type(TypeRef type) const override { return names_.text(type); }
  std::string value(const Value &value) const override { return names_.text(value); }
  std::string call(std::span<const TypeRef> types) const override {
    std::string text;
    for (TypeRef type : types) text += (text.empty() ? "(" : " ") + names_.text(type);
    return text + ")";
  }
  std::string job(std::span<const TypeRef> types) const override { return call(types); }
  std::string operation(std::string_view function, std::span<const std::string> operands) const override {
    std::string text = "(" + std::string(function);
    for (const std::string &operand : operands) text += " " + operand;
    return text + ")";
  }

private:
  const Names &names_;
};

} // namespace

std::string Language::call_text(TypeRef tuple) const {
  return LispPrinter(names).call(tuple->as<DataType>()->params());
}

std::shared_ptr<const Printer> Language::printer() const { return std::make_shared<LispPrinter>(names); }

} // namespace lisp
