// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "index.h"

namespace kiln::embed {

uint16_t IndexedFile::module(const std::string &full_name) {
  auto found = std::ranges::find(modules, full_name);
  if (found == modules.end()) found = modules.insert(modules.end(), full_name);
  return uint16_t(found - modules.begin());
}

IndexedFile::Name &IndexedFile::name(std::string_view name, uint16_t module, EmbeddedName::Kind kind) {
  auto group = [](EmbeddedName::Kind kind) { return std::max(kind, EmbeddedName::Kind::Constant); };
  auto found = std::ranges::find_if(names, [&](const Name &n) {
    return n.name == name && n.module == module && group(n.kind) == group(kind);
  });
  if (found == names.end()) found = names.insert(found, Name{std::string(name), module, 0, kind, {}, {}});
  if (kind == EmbeddedName::Kind::Type) found->kind = kind;
  return *found;
}

Module *Indexer::module(std::string_view full_name) {
  Module *found = nullptr;
  for (size_t at = 0; at <= full_name.size();) {
    size_t end = std::min(full_name.find('.', at), full_name.size());
    Symbol part = types_.symbol(full_name.substr(at, end - at));
    Module *root = found ? nullptr : world_.find_root_module(part);
    found = root ? root : world_.module(part, found);
    at = end + 1;
  }
  return found;
}

Result<std::vector<IndexedFile>> Indexer::index(std::span<const std::string> paths) {
  std::vector<std::shared_ptr<const SourceFile>> sources;
  for (const std::string &path : paths) {
    KILN_TRY(std::string text, read_file(path));
    sources.push_back(sources_.add(path, std::move(text), /*is_library=*/true));
  }
  KILN_TRY(std::vector<ManifestEntry> entries, read_manifest(sources));
  KILN_CHECK(add_host_library(interpreter_));
  std::vector<IndexedFile> files;
  for (ManifestEntry &entry : entries) {
    module(entry.module);
    files.push_back({.entry = std::move(entry)});
  }
  for (IndexedFile &file : files) KILN_CHECK(load(file));
  KILN_TRY(std::vector<const Method *> methods, world_.all_methods());
  for (const Method *method : methods) methods_[{method->at.file, method->at.begin}].push_back(method);
  for (IndexedFile &file : files) KILN_CHECK(index(file));
  return files;
}

Result<void> Indexer::load(const IndexedFile &file) {
  const ManifestEntry &entry = file.entry;
  Module &into = *module(entry.module);
  KILN_TRY(LoadReport report,
           entry.overlay.empty()
               ? frontend_.load(world_, into, entry.source)
               : frontend_.load_overlay(world_, into, types_.symbol(entry.overlay), entry.source));
  if (!report.unresolved.empty()) return Error(std::move(report.unresolved));
  if (!report.skipped.empty())
    return input_error("the library cannot do this when it is loaded: " + report.skipped[0].what,
                       report.skipped[0].at);
  return {};
}

Result<void> Indexer::index(IndexedFile &file) {
  file.module(file.entry.module);
  KILN_TRY(auto statements, frontend_.top_level(*module(file.entry.module), *file.entry.source));
  for (const auto &statement : statements) {
    for (Symbol name : statement.is_type ? statement.binds : std::vector<Symbol>())
      if (!defined_types_.emplace(statement.module, name.text()).second)
        return input_error(
            fmt::format("the library defines the type {}.{} twice", statement.module, name.text()),
            sources_.locate(statement.at));
    KILN_CHECK(place(file, statement, !file.entry.overlay.empty()));
  }
  return {};
}

bool Indexer::is_bound(const TypeName &owner) {
  auto found = world_.lookup(*module(owner.module), owner.name, world_.age());
  if (!found.ok() || !*found) return false;
  TypeRef type = owner.is_function ? (*found)->type() : (*found)->as_type();
  while (type && type->is<UnionAllType>()) type = type->as<UnionAllType>()->body();
  const auto *data = type ? type->as<DataType>() : nullptr;
  return data && &data->name() == &owner;
}

Result<void> Indexer::place(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement,
                            bool is_overlay) {
  const Span at = statement.at;
  EmbeddedStatement placed{at.begin, at.end, file.module(statement.module), true};
  std::vector<const TypeName *> owners;
  bool is_general = false, is_for_types = true;
  size_t common = 0, all = 0;
  for (auto each = methods_.lower_bound({at.file, at.begin});
       each != methods_.end() && each->first < std::pair(at.file, at.end); ++each)
    for (const Method *method : each->second) {
      const TypeName *owner = world_.owner(*method);
      if (!owner) is_general = true; // the method may apply to any value
      if (!owner) is_for_types = is_for_types && world_.is_for_types(*method);
      if (!owner || !is_bound(*owner)) continue; // no binding: a closure, which exists only later
      ++all;
      common += !method->overlay;
      if (!std::ranges::count(owners, owner)) owners.push_back(owner);
    }
  if (owners.empty() && is_general && is_for_types && statement.only_defines && !is_overlay) {
    file.for_types.push_back(uint16_t(file.later.size()));
    file.later.push_back(placed);
    return {};
  }
  if (owners.empty() || is_general || !statement.only_defines) {
    const bool binds_type =
        !is_general && std::ranges::none_of(owners, [](const TypeName *owner) { return owner->is_function; });
    if (exports_names(file, statement) ||
        (binds_type && (imports_names(file, statement, placed) || defines_names(file, statement, placed))))
      return {};
    if (is_overlay && all)
      return input_error(
          "a definition of an overlay must be able to wait: it names the function, and stands alone",
          sources_.locate(at));
    file.now.push_back(placed);
    return {};
  }
  if (is_overlay && common && common != all)
    return input_error("a loop defines methods for the overlay and for all targets: write two",
                       sources_.locate(at));
  placed.is_common = common != 0;
  for (const TypeName *owner : owners) {
    std::vector<CallShape> shapes;
    for (auto each = methods_.lower_bound({at.file, at.begin}); // again: only those of this owner
         each != methods_.end() && each->first < std::pair(at.file, at.end); ++each)
      for (const Method *method : each->second)
        if (world_.owner(*method) == owner) {
          CallShape shape = call_shape(types_, method->signature);
          if (!std::ranges::count(shapes, shape)) shapes.push_back(std::move(shape));
        }
    file.name(owner->name.text(), file.module(owner->module),
              owner->is_function ? EmbeddedName::Kind::Function : EmbeddedName::Kind::Type)
        .methods.emplace_back(uint16_t(file.later.size()), std::move(shapes));
  }
  file.later.push_back(placed);
  return {};
}

bool Indexer::defines_names(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement,
                            const EmbeddedStatement &placed) {
  if (statement.binds.empty() || statement.imports) return false;
  for (Symbol name : statement.binds)
    file.name(name.text(), placed.module, EmbeddedName::Kind::Constant)
        .definition.push_back(uint16_t(file.later.size()));
  file.later.push_back(placed);
  return true;
}

bool Indexer::exports_names(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement) {
  if (statement.exports.empty()) return false;
  for (Symbol name : statement.exports)
    file.name(name.text(), file.module(statement.module), EmbeddedName::Kind::Exported);
  return true;
}

bool Indexer::imports_names(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement,
                            const EmbeddedStatement &placed) {
  if (statement.binds.empty() || !statement.imports) return false;
  std::vector<const Module *> from;
  for (Symbol name : statement.binds) {
    const auto meaning = world_.meaning(*module(statement.module), name, world_.age());
    // Macros are defined when the session opens. An import under another name is rare.
    if (!meaning.owner || meaning.name != name || name.text().starts_with('@')) return false;
    from.push_back(meaning.owner);
  }
  for (size_t i = 0; i < from.size(); ++i)
    file.name(statement.binds[i].text(), placed.module, EmbeddedName::Kind::Imported).from =
        file.module(from[i]->full_name());
  return true;
}

} // namespace kiln::embed
