// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/extension/language/internal/hint.h>
#include <kiln/job_list.h>
#include <support/read_number.h>
#include <support/support.h>

namespace kiln {

static std::string_view group_option() {
  return by_door("--workgroupsize", "\"workgroupsize\"", "workgroupsize");
}
static std::string_view range_option() { return by_door("--ndrange", "\"ndrange\"", "ndrange"); }

/// Formats "X[,Y...]" as a tuple.
static Result<std::string> tuple_text(std::string_view option, std::string_view text, int64_t least) {
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

Result<std::string> KILN_API_VERSION::iteration_space(std::string_view group, std::string_view range) {
  if (group.empty() && range.empty()) return std::string();
  if (group.empty())
    return usage_error(
        fmt::format("{} needs the size of a group: {} X[,Y...]", range_option(), group_option()));
  KILN_TRY(std::string size, tuple_text(group_option(), group, 1));
  // Compiling needs only the number of dimensions of the range. If it is missing, the workgroup's size takes
  // its place.
  KILN_TRY(std::string space, tuple_text(range_option(), range.empty() ? group : range, 0));
  return fmt::format("KernelAbstractions.context({}, KernelAbstractions.StaticSize({}))", space, size);
}

} // namespace kiln
