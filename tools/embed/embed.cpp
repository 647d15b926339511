// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the library's files, indexed and in load order, as two C++ tables: the files of the core, and those
// for programs. Usage: kiln_embed CORE PROGRAMS FILE.jl... Run it in runtime/library: the paths are the
// files' names in manifests and diagnostics.
#include "index.h"

#include <algorithm>
#include <fmt/ranges.h>

using namespace kiln;
using namespace kiln::embed;

namespace {

/// Splits a text into adjacent string literals at ends of lines, because compilers limit a literal's length.
std::string literal(std::string_view text) {
  constexpr size_t longest = 8000;
  std::string out;
  while (!text.empty()) {
    size_t end = text.size() > longest ? text.rfind('\n', longest - 1) + 1 : text.size();
    out += fmt::format("R\"kiln({})kiln\"\n", text.substr(0, end));
    text.remove_prefix(end);
  }
  return out + "\"\"sv";
}

std::string statements(std::string_view name, std::span<const EmbeddedStatement> list) {
  std::string out = fmt::format("constexpr std::array<EmbeddedStatement, {}> {}{{{{", list.size(), name);
  for (const EmbeddedStatement &each : list)
    out += fmt::format("{{{}, {}, {}, {}}},", each.begin, each.end, each.module, each.is_common);
  return out + "}};\n";
}

std::string array(std::string_view type, size_t size, std::string_view name, std::string_view elements) {
  return fmt::format("[[maybe_unused]] constexpr std::array<{}, {}> {}{{{{{}}}}};\n", type, size, name,
                     elements);
}

/// Writes the shapes of a file's methods (EmbeddedShapes).
class ShapesTable {
public:
  /// Adds the shapes of a statement's methods. Returns the index of the first one.
  size_t add(std::span<const CallShape> shapes) {
    for (const CallShape &shape : shapes) {
      shapes_ += fmt::format("{{{}, {}, {}, {}}},", shape.parameters, shape.is_vararg, shape.heads.size(),
                             num_heads_);
      for (const CallShape::Head &head : shape.heads)
        heads_ += fmt::format("{{{}, {}, {}}},", head.parameter, name(head.name), name(head.inner));
      num_heads_ += shape.heads.size();
    }
    return std::exchange(num_shapes_, num_shapes_ + shapes.size());
  }
  std::string text(const std::string &prefix) const {
    std::string names;
    for (const std::string &each : names_) names += literal(each) + ",";
    return array("EmbeddedShape", num_shapes_, prefix + "_shapes", shapes_) +
           array("EmbeddedHead", num_heads_, prefix + "_heads", heads_) +
           array("std::string_view", names_.size(), prefix + "_type_names", names);
  }

private:
  size_t name(Symbol wanted) {
    const auto found = std::ranges::find(names_, wanted ? wanted.text() : std::string_view());
    if (found != names_.end()) return size_t(found - names_.begin());
    names_.emplace_back(wanted.text());
    return names_.size() - 1;
  }
  std::string shapes_, heads_;
  size_t num_shapes_ = 0, num_heads_ = 0;
  std::vector<std::string> names_{""};
};

std::string tables(const std::string &prefix, const IndexedFile &file) {
  std::string modules, indices, methods, names;
  size_t count = 0, num_methods = 0;
  ShapesTable shapes;
  auto span = [&](const std::vector<uint16_t> &statements) {
    const size_t first = std::exchange(count, count + statements.size());
    for (uint16_t statement : statements) indices += fmt::format("{},", statement);
    return fmt::format("std::span({}_indices).subspan({}, {})", prefix, first, statements.size());
  };
  auto methods_of = [&](const IndexedFile::Name &name) {
    const size_t first = std::exchange(num_methods, num_methods + name.methods.size());
    for (const auto &[statement, of_statement] : name.methods)
      methods += fmt::format("{{{}, {}, {}}},", statement, of_statement.size(), shapes.add(of_statement));
    return fmt::format("std::span({}_methods).subspan({}, {})", prefix, first, name.methods.size());
  };
  const std::string for_types = span(file.for_types);
  for (const std::string &module : file.modules) modules += literal(module) + ",";
  for (const IndexedFile::Name &name : file.names) {
    const std::string definition = span(name.definition), defined_by = methods_of(name);
    names +=
        fmt::format("{{{}, {}u, {}, {}, EmbeddedName::Kind({}), {}, {}}},\n", literal(name.name),
                    hash_of_name(name.name), name.module, name.from, int(name.kind), definition, defined_by);
  }
  return array("std::string_view", file.modules.size(), prefix + "_modules", modules) +
         statements(prefix + "_now", file.now) + statements(prefix + "_later", file.later) +
         array("uint16_t", count, prefix + "_indices", indices) + shapes.text(prefix) +
         array("EmbeddedMethods", num_methods, prefix + "_methods", methods) +
         fmt::format("constexpr std::span<const uint16_t> {}_for_types = {};\n", prefix, for_types) +
         array("EmbeddedName", file.names.size(), prefix + "_defined", names);
}

std::string numbers(std::string_view name, std::span<const size_t> list) {
  return fmt::format("constexpr std::array<uint16_t, {}> {}{{{{{}}}}};\n", list.size(), name,
                     fmt::join(list, ", "));
}

std::string names(std::string_view name, std::span<const std::string> list) {
  std::string out = fmt::format("constexpr std::array<std::string_view, {}> {}{{{{", list.size(), name);
  for (const std::string &each : list) out += literal(each) + ",";
  return out + "}};\n";
}

/// Writes the table of the files from `begin` to `end`, and a C++ function named `function` that returns it.
/// File numbers in the table are indices in `files`.
std::string source_code(std::span<const IndexedFile> files, size_t begin, size_t end,
                        std::string_view function) {
  std::vector<int> with(files.size(), -1);
  for (size_t i = 0; i < files.size(); ++i)
    for (size_t brought : files[i].entry.brings) with[brought] = int(i);
  std::string tables_of_files, table;
  for (size_t i = begin; i < end; ++i) {
    const ManifestEntry &entry = files[i].entry;
    const std::string prefix = fmt::format("file{}", i);
    tables_of_files += tables(prefix, files[i]) + names(prefix + "_names", entry.names) +
                       numbers(prefix + "_needs", entry.needs);
    table += fmt::format(
        "    {{{{\"{0}\"sv, {2}, {1}_modules, {1}_now, {1}_later, {1}_defined, {1}_for_types, "
        "{{{1}_shapes, {1}_heads, {1}_type_names}}}}, \"{3}\"sv, {4}, {5}, {1}_names, {1}_needs, {6}}},\n",
        entry.source->name(), prefix, literal(entry.source->text()), entry.overlay, entry.waits,
        entry.loads_with_packages, with[i]);
  }
  return fmt::format("// Generated by tools/embed.\n#include \"runtime_sources.h\"\n\n#include <array>\n\n"
                     "namespace kiln {{\n\nusing namespace std::string_view_literals;\n\nnamespace {{\n{}"
                     "constexpr std::array<LibraryFile, {}> table{{{{\n{}}}}};\n\n}} // namespace\n\n"
                     "std::span<const LibraryFile> {}() {{ return table; }}\n\n"
                     "}} // namespace kiln\n",
                     tables_of_files, end - begin, table, function);
}

/// Writes a file only if its content differs, so that ninja does not rebuild its dependents.
Result<void> write_if_changed(const std::string &path, const std::string &content) {
  if (auto there = read_file(path); there.ok() && *there == content) return {};
  return write_file_atomically(path, content);
}

Result<void> run(const std::string &core, const std::string &programs, std::span<char *const> arguments) {
  const std::vector<std::string> paths(arguments.begin(), arguments.end());
  Indexer indexer;
  KILN_TRY(auto files, indexer.index(paths));
  const auto num_core = size_t(
      std::ranges::count_if(files, [](const IndexedFile &file) { return !file.entry.is_for_programs; }));
  KILN_CHECK(write_if_changed(core, source_code(files, 0, num_core, "runtime_library")));
  return write_if_changed(programs, source_code(files, num_core, files.size(), "program_library"));
}

} // namespace

int main(int argc, char **argv) {
  Result<void> done = argc < 4 ? Result<void>(usage_error("usage: kiln_embed CORE PROGRAMS FILE.jl..."))
                               : run(argv[1], argv[2], std::span(argv + 3, size_t(argc - 3)));
  if (done.ok()) return 0;
  fmt::print(stderr, "{}\n", done.error().what());
  return 1;
}
