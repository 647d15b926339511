// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates include in files of definitions and in programs, with an optional mapping function.
#include "define.h"

#include <filesystem>

namespace kiln::julia {

/// Path that consists of literals, @__DIR__ and joinpath. No value: finding it needs to run code.
static std::optional<std::string> path_of(const Syntax &node, const std::string &folder) {
  if (node.is(Head::Literal))
    return node.literal.as_string() ? std::optional(*node.literal.as_string()) : std::nullopt;
  if (node.is(Head::MacroCall) && macro_name(node).text() == "@__DIR__")
    return std::filesystem::absolute(folder).string();
  bool joins =
      node.is(Head::Call) && node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "joinpath";
  if (!joins && !node.is(Head::StringInterpolation)) return std::nullopt;
  std::string text;
  for (size_t i = joins; i < node.args.size(); ++i) {
    auto part = path_of(*node.args[i], folder);
    if (!part) return std::nullopt;
    if (joins)
      text = (std::filesystem::path(text) / *part).string();
    else
      text += *part;
  }
  return text;
}

/// Evaluates the arguments before the path in include(map, module, path). Both are optional.
Result<Definer::Included> Definer::included(Module &here, const Syntax &node) {
  Included found{&here, {}};
  for (size_t i = 1; i + 1 < node.args.size(); ++i) {
    KILN_TRY(Value value, program_ ? thunk(here, *node.args[i]) : shared_->interpret(here, *node.args[i]));
    if (const Module *other = value.as_module())
      found.into = &Shared::writable(*other);
    else if (i == 1 && !value.as_string())
      found.map = std::move(value);
    else
      return shared_->error(ErrorCode::MethodError, "include takes a function, a module and a path", node.at);
  }
  return found;
}

/// Replaces each statement of a file by the result of calling `map` with the statement's Expr.
Result<void> Definer::map_statements(Unit &unit, Syntax &tree, const std::optional<Value> &map) {
  if (!map) return {};
  for (Syntax *&statement : tree.args) {
    const Value quoted = syntax_to_value(*shared_, *statement);
    KILN_TRY(Value mapped, shared_->interpreter.call(*map, std::span(&quoted, 1)));
    KILN_TRY(statement, value_to_syntax(*shared_, unit.arena, mapped, statement->at));
  }
  return {};
}

/// Evaluates include("x.jl"). The path is relative to the including file. A missing file is an error only for
/// code that uses its definitions.
void Definer::include(Module &into, const Syntax &node) {
  auto target = node.args.size() == 2 ? Result<Included>(Included{&into, {}}) : included(into, node);
  if (!target.ok()) {
    note_error(target.take_error(), node);
    return;
  }
  Module &module = *target->into;
  std::string folder = std::filesystem::path(unit_->file->name()).parent_path().string();
  const std::string &base = unit_->file->base(); // absolute paths replace the folder
  auto named = path_of(*node.args.back(), (std::filesystem::path(base) / folder).string());
  if (!named) {
    note_skipped(node, "its path is not known without running it");
    return;
  }
  std::string path = (std::filesystem::path(folder) / *named).lexically_normal().string();
  auto text = package_text((std::filesystem::path(base) / path).string());
  if (!text.ok()) {
    std::string why =
        fmt::format("`{}` at {} could not be read: {}", brief(node),
                    shared_->world.sources().describe(node.at), text.error().diagnostics().front().message);
    shared_->world.note_missing(module, why);
    note_skipped(node, why);
    ++failures_;
    if (!in_try_)
      report_.warnings.push_back({ErrorCode::None,
                                  fmt::format("{}: what it defines is missing", why),
                                  shared_->locate(node.at),
                                  {},
                                  {},
                                  {}});
    return;
  }
  if (include_depth_ >= 64) {
    faults_.push_back({.code = ErrorCode::Input,
                       .message = fmt::format("files include each other without end: {}", path),
                       .at = shared_->locate(node.at)});
    return;
  }
  auto unit = std::make_shared<Unit>();
  unit->file = shared_->world.sources().add(path, std::move(*text), false, base);
  Definer inner(shared_, unit, report_, overlay_);
  auto tree = inner.parse_indexed(*unit, (std::filesystem::path(base) / path).string());
  if (!tree.ok()) {
    Error error = tree.take_error();
    for (Diagnostic &diagnostic : error.diagnostics()) faults_.push_back(std::move(diagnostic));
    return;
  }
  check(map_statements(*unit, **tree, target->map), node);
  inner.include_depth_ = include_depth_ + 1;
  inner.in_try_ = in_try_;
  if (auto done = inner.file(module, **tree); !done.ok()) {
    Error error = done.take_error();
    for (Diagnostic &diagnostic : error.diagnostics()) faults_.push_back(std::move(diagnostic));
  }
  failures_ += inner.failures_;
}

/// Evaluates include(path) in a program that runs. The path is relative to the including file.
void Definer::include_program(Module &here, const Syntax &node) {
  auto target = included(here, node);
  auto evaluated = target.ok() ? thunk(here, *node.args.back()) : target.take_error();
  if (!evaluated.ok()) {
    fail(evaluated.take_error(), node);
    return;
  }
  if (!evaluated->as_string()) {
    fail(shared_->error(ErrorCode::MethodError, "include takes the path of a file", node.at), node);
    return;
  }
  Module &module = *target->into;
  const std::string &named = *evaluated->as_string();
  const std::string folder = std::filesystem::path(unit_->file->name()).parent_path().string();
  const std::string &base = unit_->file->base();
  const std::string path = (std::filesystem::path(folder) / named).lexically_normal().string();
  auto text = read_source_file((std::filesystem::path(base) / path).string());
  if (!text.ok()) {
    fail(shared_->error(ErrorCode::SystemError,
                        fmt::format("opening file {}: {}", path, text.error().diagnostics().front().message),
                        node.at),
         node);
    return;
  }
  if (include_depth_ >= 64) {
    fail(shared_->error(ErrorCode::Input, fmt::format("files include each other without end: {}", path),
                        node.at),
         node);
    return;
  }
  auto unit = std::make_shared<Unit>();
  unit->file = shared_->world.sources().add(path, std::move(*text), false, base);
  auto tree = shared_->read_file(*unit);
  if (!tree.ok()) {
    fail(tree.take_error(), node);
    return;
  }
  if (auto mapped = map_statements(*unit, **tree, target->map); !mapped.ok()) {
    fail(mapped.take_error(), node);
    return;
  }
  LoadReport report;
  Definer inner(shared_, unit, report, overlay_);
  inner.include_depth_ = include_depth_ + 1;
  auto result = inner.run(module, **tree, *program_);
  if (result.ok())
    value_ = std::move(*result);
  else
    fail(result.take_error(), node);
}

} // namespace kiln::julia
