// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "iteration_space.h"

#include <support/read_number.h>

#include <kiln/extension/language/calls.h>

namespace kiln::tool {

namespace {

/// "X[,Y...]" as the text of a tuple.
Result<std::string> tuple_text(std::string_view option, std::string_view text, int64_t least) {
  std::string out = "(";
  for (std::string_view rest = text;;) {
    size_t comma = rest.find(',');
    std::string_view item = rest.substr(0, comma);
    const auto n = read_number<int64_t>(item);
    if (!n || *n < least)
      return usage_error(
          fmt::format("{} takes X[,Y...], numbers not below {}, not `{}`", option, least, text));
    out += fmt::format("{},", *n);
    if (comma == std::string_view::npos) return out + ")";
    rest.remove_prefix(comma + 1);
  }
}

} // namespace

Result<std::string> context_expression(const CompileOptions &options) {
  if (options.workgroup_size.empty() && options.ndrange.empty()) return std::string();
  if (options.workgroup_size.empty())
    return usage_error("--ndrange needs the size of a group: --workgroupsize X[,Y...]");
  KILN_TRY(std::string group, tuple_text("--workgroupsize", options.workgroup_size, 1));
  // Without an iteration space its type is that of one of as many dimensions: all that compiling needs.
  KILN_TRY(std::string range,
           tuple_text("--ndrange", options.ndrange.empty() ? options.workgroup_size : options.ndrange, 0));
  return fmt::format("KernelAbstractions.context({}, KernelAbstractions.StaticSize({}))", range, group);
}

Result<LaunchShape> shape_of_context(Session &session, const std::string &expression) {
  KILN_TRY(Value counts,
           evaluate(session, "--ndrange", fmt::format("KernelAbstractions.launch_shape({})", expression)));
  const std::vector<Value> *fields = counts.fields();
  if (!fields || fields->size() != 2)
    return internal_error(fmt::format("launch_shape gave {}", to_string(counts)));
  LaunchShape shape;
  for (size_t i = 0; i < 2; i++) {
    int64_t n = int64_t((*fields)[i].low_bits());
    if (n < 1 || n > UINT32_MAX)
      return usage_error(
          fmt::format("--ndrange: a launch has at least one group and below 2^32 of them, not {}", n));
    (i ? shape.blocks : shape.threads) = {uint32_t(n), 1, 1};
  }
  return shape;
}

} // namespace kiln::tool
