// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of timing reports, as --timings=json writes them: one report, several one behind the other, or a
// list.
#pragma once

#include <kiln/result.h>
#include <support/support.h>

#include <functional>
#include <string>

namespace kiln::tool {

/// Calls `each` for each report of a file, or with its error (Input): the file cannot be read, or holds what
/// is no report or one of another version of the schema.
void read_reports(const std::string &path, const std::function<void(Result<const JsonValue *>)> &each);

Error no_report(std::string what, const Location &at);
// Members of a report. Error (Input): there is none of this name, or of another kind.
Result<const JsonValue *> member(const JsonValue &object, std::string_view name, JsonValue::Kind kind);
Result<std::string> text_member(const JsonValue &object, std::string_view name);
Result<uint64_t> number_member(const JsonValue &object, std::string_view name);
/// Empty for null.
Result<std::string> optional_text_member(const JsonValue &object, std::string_view name);

} // namespace kiln::tool
