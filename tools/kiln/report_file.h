// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads files of timing reports from --timings=json: one report, several concatenated ones, or a list.
#pragma once

#include <kiln/result.h>
#include <support/support.h>

#include <functional>
#include <string>

namespace kiln::tool {

/// Calls `each` for each report of a file, or once with its error (Input): an unreadable file, a value that
/// is not a report, or another schema version.
void read_reports(const std::string &path, const std::function<void(Result<const JsonValue *>)> &each);

Error no_report(std::string what, const Location &at);
// Members of a report. Error (Input): a missing name or a value of another kind.
Result<const JsonValue *> member(const JsonValue &object, std::string_view name, JsonValue::Kind kind);
Result<std::string> text_member(const JsonValue &object, std::string_view name);
Result<uint64_t> number_member(const JsonValue &object, std::string_view name);
/// Empty for null.
Result<std::string> optional_text_member(const JsonValue &object, std::string_view name);

} // namespace kiln::tool
