// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads files with timing reports (--timings=json). A file has one report, several concatenated ones, or a
// JSON array of reports.
#pragma once

#include <kiln/result.h>
#include <support/support.h>

#include <functional>
#include <string>

namespace kiln::tool {

/// Calls `each` with each timing report in the file. Errors (Input) also go to `each`: an unreadable file, a
/// JSON value that is no report, or another schema version.
void read_reports(const std::string &path, const std::function<void(Result<const JsonValue *>)> &each);

Error no_report(std::string what, const Location &at);
// Return the member of a JSON object with this name. Error (Input): a missing member or a value of another
// kind.
Result<const JsonValue *> member(const JsonValue &object, std::string_view name, JsonValue::Kind kind);
Result<std::string> text_member(const JsonValue &object, std::string_view name);
Result<uint64_t> number_member(const JsonValue &object, std::string_view name);
/// Like text_member, but null gives an empty text.
Result<std::string> optional_text_member(const JsonValue &object, std::string_view name);

} // namespace kiln::tool
