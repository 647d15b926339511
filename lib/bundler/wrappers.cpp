// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrappers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace kiln {

namespace {

/// Returns the text as the content of a C++ string literal: with quotes and backslashes escaped, and line
/// breaks as blanks.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}
std::string one_line(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, '\n', ' ');
  // A blank after a final backslash prevents a line continuation in a `//` comment.
  if (out.ends_with('\\')) out += ' ';
  return out;
}

/// Names that the generated header uses but does not define. None of its own names may hide them.
constexpr std::array outer_names{"std",     "kiln",    "int8_t",   "int16_t",  "int32_t",
                                 "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
/// Names of the members of each generated kernel class. In C++, a class and its member must have different
/// names.
constexpr std::array member_names{"name", "signature", "kernel", "load", "launch", "kernel_"};

class Wrappers {
public:
  Wrappers(std::span<const BundledKernel> kernels, std::string space)
      : kernels_(kernels), space_(std::move(space)), types_(outer_names.begin(), outer_names.end()) {
    taken_ = types_;
    taken_.insert(member_names.begin(), member_names.end());
  }

  std::string write(const std::string &bundle_name) {
    out_ =
        fmt::format("// Written by kiln bundle --header for {}. Do not edit: the next run writes it again.\n"
                    "#pragma once\n\n"
                    "#include <kiln/bundle.h>\n\n"
                    "#include <cstdint>\n\n"
                    "namespace {} {{\n",
                    one_line(bundle_name), space_);
    // Structs are written before kernels, since two kernels may share a struct. Struct names must be unique.
    for (const BundledKernel &kernel : kernels_)
      for (const CppStruct &each : kernel.structs) name_of_[each.of] = "";
    for (const BundledKernel &kernel : kernels_)
      for (const CppStruct &each : kernel.structs) write_struct(each, kernel);
    for (const BundledKernel &kernel : kernels_) write_kernel(kernel);
    return std::move(out_) + fmt::format("\n}} // namespace {}\n", space_);
  }

private:
  std::string unused(std::string name) {
    std::string made = name;
    for (int n = 2; !taken_.insert(made).second; n++) made = fmt::format("{}_{}", name, n);
    return made;
  }
  /// Replaces a struct's name in a C++ type by the name that this header gives the struct.
  std::string renamed(const std::string &type, const BundledKernel &kernel) const {
    for (const CppStruct &each : kernel.structs) {
      const std::string &now = name_of_.at(each.of);
      if (type == each.name) return now;
      const std::string array = fmt::format("kiln::DeviceArray<{}, ", each.name);
      if (type.starts_with(array))
        return fmt::format("kiln::DeviceArray<{}, {}", now, type.substr(array.size()));
    }
    return type;
  }

  void write_struct(const CppStruct &made, const BundledKernel &kernel) {
    std::string &name = name_of_[made.of];
    if (!name.empty()) return;
    name = unused(made.name);
    types_.insert(name);
    out_ += fmt::format("\n/// {}\nstruct alignas({}) {} {{\n", one_line(made.of), made.align, name);
    std::set<std::string> fields;
    for (const CppStruct::Field &field : made.fields) fields.insert(field.name);
    for (const CppStruct::Field &field : made.fields) {
      std::string shown = field.name;
      if (types_.contains(shown)) // A field with the name of a type would hide that type from later fields.
        while (types_.contains(shown) || fields.contains(shown)) shown += '_';
      fields.insert(shown);
      out_ += fmt::format("  {} {};\n", renamed(field.type, kernel), shown);
    }
    if (made.fields.empty()) out_ += fmt::format("  unsigned char bytes[{}];\n", made.size);
    out_ += fmt::format("}};\nstatic_assert(sizeof({}) == {});\n", name, made.size);
  }

  void write_kernel(const BundledKernel &kernel) {
    const std::string name = unused(cpp_name(kernel.name));
    std::set<std::string> used = types_;
    used.insert({"stream", "shape", "options", "arguments", "kernel", "bundle", "device", "kernel_", name});
    std::string parameters, pointers, checks;
    for (const BundledParameter &p : kernel.parameters) {
      std::string parameter = p.name.empty() ? fmt::format("argument{}", p.argument) : cpp_name(p.name);
      while (!used.insert(parameter).second) parameter += std::to_string(p.argument);
      const std::string type = renamed(p.cpp.text, kernel);
      parameters += p.cpp.is_by_reference ? fmt::format("const {} &{}, ", type, parameter)
                                          : fmt::format("{} {}, ", type, parameter);
      pointers += fmt::format("{}&{}", pointers.empty() ? "" : ", ", parameter);
      const std::string check = fmt::format("    static_assert(sizeof({}) == {});\n", type, p.size);
      if (checks.find(check) == std::string::npos) checks += check;
    }
    if (!parameters.empty()) parameters.pop_back(); // trailing blank
    const size_t count = kernel.parameters.size();
    out_ += fmt::format(
        "\n/// {0}({1})\n"
        "class {2} {{\n"
        "public:\n"
        "  static constexpr const char *name = \"{3}\", *signature = \"{4}\";\n"
        "  {2}() = default; ///< empty\n"
        "  explicit operator bool() const {{ return bool(kernel_); }}\n"
        "  const kiln::Kernel &kernel() const {{ return kernel_; }}\n"
        "  static kiln::Result<{2}> load(const kiln::Bundle &bundle, const kiln::Device &device) {{\n"
        "    auto found = bundle.find(name, signature);\n"
        "    if (!found.ok()) return found.take_error();\n"
        "    auto kernel = found->load(device);\n"
        "    if (!kernel.ok()) return kernel.take_error();\n"
        "    {2} made;\n"
        "    made.kernel_ = std::move(*kernel);\n"
        "    return made;\n"
        "  }}\n"
        "  /// Puts a launch into a stream of the device that it was loaded for; as kiln::Stream::launch.\n"
        "  kiln::Result<void> launch(kiln::Stream &stream, const kiln::LaunchShape &shape,\n"
        "                            {5}\n"
        "                            const kiln::LaunchOptions &options = {{}}) const {{\n",
        one_line(kernel.name), one_line(kernel.signature), name, escaped(kernel.name),
        escaped(kernel.signature), parameters);
    out_ += checks;
    if (count)
      out_ += fmt::format("    const void *const arguments[] = {{{}}};\n"
                          "    return stream.launch(kernel_, shape, arguments, options);\n",
                          pointers);
    else
      out_ += "    return stream.launch(kernel_, shape, {}, options);\n";
    out_ += "  }\n\nprivate:\n  kiln::Kernel kernel_;\n};\n";
  }
  std::span<const BundledKernel> kernels_;
  const std::string space_;
  std::string out_;
  /// Names that parameters and fields must not hide: outer_names and the names of structs.
  std::set<std::string> types_;
  std::set<std::string> taken_; ///< names that further classes and structs of the header must not have
  std::map<std::string, std::string> name_of_; ///< struct names, by the language's type
};

} // namespace

std::string write_wrappers(std::span<const BundledKernel> kernels, const std::string &bundle_name,
                           const std::string &space) {
  return Wrappers(kernels, space).write(bundle_name);
}

} // namespace kiln
