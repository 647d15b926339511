// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/error_code.h>
#include <kiln/result.h>

#include <catch2/catch.hpp>

using namespace kiln;

TEST_CASE("each kind of diagnostic is found by its number and by its name") {
  for (const DiagnosticInfo &row : all_diagnostics()) {
    CHECK(find_diagnostic(std::to_string(int(row.code))) == &row);
    REQUIRE(find_diagnostic(row.name) != nullptr);
    CHECK(find_diagnostic(row.name)->name == row.name);
    CHECK(name_of(row.code) == row.name);
    CHECK_FALSE(row.meaning.empty());
    CHECK_FALSE(row.cure.empty());
  }
  for (std::string_view other : {"", "0", "99", "102x", " 102", "methoderror", "99999999999"})
    CHECK(find_diagnostic(other) == nullptr);
  CHECK(name_of(ErrorCode::None).empty());
  CHECK(name_of(ErrorCode(199)).empty());
}

TEST_CASE("released numbers keep their meaning") {
  CHECK(int(ErrorCode::SyntaxError) == 101);
  CHECK(int(ErrorCode::MethodError) == 102);
  CHECK(int(ErrorCode::UndefVarError) == 103);
  CHECK(int(ErrorCode::BoundsError) == 108);
  CHECK(int(ErrorCode::InvalidIRError) == 121);
  CHECK(int(ErrorCode::ManifestError) == 153);
  CHECK(int(ErrorCode::Cancelled) == 201);
  CHECK(int(ErrorCode::WorkerError) == 301);
  CHECK(int(ErrorCode::LlvmError) == 401);
}

TEST_CASE("an error takes its kind from its first diagnostic") {
  CHECK(Error(ErrorCode::WorkerError, "it ended").kind() == ErrorKind::Machine);
  CHECK(usage_error("wrong").code() == ErrorCode::Usage);
  CHECK(general_code(ErrorKind::Internal) == ErrorCode::Internal);
  CHECK(Error(std::vector<Diagnostic>()).kind() == ErrorKind::Internal);
}

TEST_CASE("a name that a program chose becomes a code or an exception") {
  const Error known = named_error("BoundsError", "text");
  CHECK(known.code() == ErrorCode::BoundsError);
  CHECK(known.diagnostics()[0].name() == "BoundsError");
  const Error own = named_error("MyError", "text");
  CHECK(own.code() == ErrorCode::Input);
  CHECK(own.diagnostics()[0].name() == "MyError");
  CHECK(own.what() == "MyError[100]: text");
  // A program may not claim a fault of Kiln or of the machine by its name, nor a row by its number.
  CHECK(named_error("internal error", "text").kind() == ErrorKind::Input);
  CHECK(named_error("102", "text").code() == ErrorCode::Input);
}

TEST_CASE("internal faults keep the name of what was found") {
  const Error wrapped = as_internal({{.code = ErrorCode::MethodError, .message = "no method"}});
  CHECK(wrapped.kind() == ErrorKind::Internal);
  CHECK(wrapped.what() == "internal error[400]: MethodError: no method");
}

TEST_CASE("an undefined name is the subject of its error") {
  const Error error = undefined_error("x", "`x` not defined in `Main`");
  CHECK(error.diagnostics()[0].subject == "x");
  CHECK(error.what() == "UndefVarError[103]: `x` not defined in `Main`");
}
