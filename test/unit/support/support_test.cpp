// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wipes_on_fork.h"

#include <catch2/catch.hpp>
#include <support/count.h>
#include <support/shorten.h>
#include <support/support.h>

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kiln;

namespace {

/// A fresh folder that goes with the test.
struct Folder {
  std::string path;
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kiln-support-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const char *name) const { return path + "/" + name; }
};

Result<int> half(int n) {
  if (n % 2) return make_error(ErrorCode::DomainError, "odd");
  return n / 2;
}
Result<int> quarter(int n) {
  KILN_TRY(int h, half(n));
  KILN_CHECK(half(h));
  return h / 2;
}

} // namespace

TEST_CASE("results carry values and errors through") {
  CHECK(*quarter(8) == 2);
  auto failed = quarter(6);
  REQUIRE(!failed);
  CHECK(failed.error().kind() == ErrorKind::Input);
  CHECK(failed.error().what() == "DomainError[110]: odd");
}

TEST_CASE("positions count lines and characters") {
  SourceFile file(1, "f.jl", "ab\nα=1\r\n\nlast");
  CHECK(file.position(0).line == 1);
  CHECK(file.position(0).column == 1);
  CHECK(file.position(3).line == 2);
  CHECK(file.position(5).column == 2); // after the two bytes of α
  CHECK(file.position(10).line == 4);
  CHECK(file.position(9999).line == 4);
  CHECK(file.position(9999).column == 5);
  CHECK(file.line(2) == "α=1");
  CHECK(file.line(3) == "");
  CHECK(file.line(4) == "last");
  CHECK(file.line(0) == "");
  CHECK(file.line(5) == "");
  // Columns far into a line, at each byte of it: characters begin where no byte of a character goes on.
  std::string text = "first\n";
  for (int i = 0; i < 100; ++i) text += i % 3 ? "x" : "αβ"; // 2 bytes each
  SourceFile far(3, "far.jl", text);
  uint32_t column = 1;
  for (uint32_t at = 6; at <= text.size(); ++at) {
    CHECK(far.position(at).line == 2);
    CHECK(far.position(at).column == column);
    if (at < text.size() && (uint8_t(text[at]) & 0xc0) != 0x80) ++column;
  }
  SourceFile empty(2, "e", "");
  CHECK(empty.position(0).line == 1);
}

TEST_CASE("a source map hands out ids from 1 and describes spans") {
  SourceMap map;
  auto f = map.add("a.jl", "x\ny\n");
  CHECK(f->id() == 1);
  CHECK(map.file(1) == f);
  CHECK(map.file(0) == nullptr);
  CHECK(map.file(2) == nullptr);
  CHECK(map.describe({1, 2, 3}) == "a.jl:2");
  CHECK(map.describe({}) == "none");
  CHECK(!map.locate({}));
}

TEST_CASE("a diagnostic shows place, caret, stack, notes and hint") {
  auto file = std::make_shared<const SourceFile>(1, "k.jl", "function k(x)\n\ty = sinn(x)\nend\n");
  Diagnostic d{.code = ErrorCode::UndefVarError, .message = "`sinn` not defined", .at = {file, 19, 26}};
  d.stack = {{"k", {file, 19, 26}}, {"main", {}}};
  d.notes = {{"called from here", {file, 0, 8}}};
  d.hint = "did you mean sin?";
  CHECK(render(d) == "k.jl:2:6: UndefVarError[103]: `sinn` not defined\n"
                     "  2 | \ty = sinn(x)\n"
                     "    | \t    ^~~~~~~\n"
                     "Stacktrace:\n"
                     " [1] k @ k.jl:2\n"
                     " [2] main\n"
                     "k.jl:1:1: note: called from here\n"
                     "  1 | function k(x)\n"
                     "    | ^~~~~~~~\n"
                     "hint: did you mean sin?");
  CHECK(render(d, true).find("\033[") != std::string::npos);
}

TEST_CASE("carets survive odd places") {
  auto file =
      std::make_shared<const SourceFile>(1, "o.jl", "αβγ = 1\n" + std::string(5000, 'x') + "\033[31m\n");
  CHECK(render(Diagnostic{.code = ErrorCode::SyntaxError, .message = "m", .at = {file, 2, 6}}) ==
        "o.jl:1:2: syntax error[101]: m\n  1 | αβγ = 1\n    |  ^~");
  // past the end, an empty span, a very long line with a terminal escape in it
  CHECK(render(Diagnostic{.code = ErrorCode::SyntaxError, .message = "m", .at = {file, 999999, 0}})
            .find("o.jl:3:1: syntax error[101]: m") == 0);
  std::string text =
      render(Diagnostic{.code = ErrorCode::SyntaxError, .message = "m", .at = {file, 4000, 4001}});
  CHECK(text.size() < 500);
  text = render(Diagnostic{.code = ErrorCode::SyntaxError, .message = "m", .at = {file, 5005, 5015}});
  CHECK(text.find('\033') == std::string::npos);
}

TEST_CASE("symbols of one table are equal iff their texts are") {
  SymbolTable table;
  Symbol a = table.intern("abc"), b = table.intern(std::string("ab") + "c"), c = table.intern("abd");
  CHECK(a == b);
  CHECK(!(a == c));
  CHECK(a.text() == "abc");
  CHECK(!Symbol());
  CHECK(Symbol().text() == "");
  CHECK(table.intern("") == table.intern(""));
}

TEST_CASE("fingerprints are XXH3-128 and frame what varies in length") {
  // Values of xxhsum -H2 (XXH128) 0.8.1.
  CHECK(fingerprint_of("").hex() == "99aa06d3014798d86001c324468d497f");
  CHECK(fingerprint_of("abc").hex() == "06b05ab6733a618578af5f94892f3950");
  CHECK((Fingerprinter().bytes("a", 1).bytes("bc", 2).finish() == fingerprint_of("abc")));
  CHECK(Fingerprinter().add("ab").add("c").finish() != Fingerprinter().add("a").add("bc").finish());
  CHECK(Fingerprinter().add(uint8_t(1)).finish() != Fingerprinter().add(uint16_t(1)).finish());
  CHECK(!Fingerprint());
}

TEST_CASE("files are read whole and written whole") {
  Folder folder;
  std::string path = folder / "x", content("a\0b\n", 4);
  REQUIRE(write_file_atomically(path, content));
  CHECK(*read_file(path) == content);
  REQUIRE(write_file_atomically(path, ""));
  CHECK(*read_file(path) == "");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1); // nothing left behind

  CHECK(read_file(folder / "missing").error().kind() == ErrorKind::Input);
  CHECK(read_file(folder.path).error().what().find("directory") != std::string::npos);
  CHECK(write_file_atomically(folder.path, "x").error().kind() == ErrorKind::Input);
  CHECK(write_file_atomically(folder / "no/such", "x").error().kind() == ErrorKind::Input);
  REQUIRE(write_file_atomically(path, "12345"));
  CHECK(read_file(path, 4).error().what().find("limit") != std::string::npos);
  CHECK(read_file(path, 5).ok());
  CHECK(write_file_atomically("/dev/null", "x").ok());
  CHECK(read_file("/proc/self/status")->find("Name:") == 0); // says size 0
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(read_file(folder / "pipe").error().kind() == ErrorKind::Input); // and does not hang
}

TEST_CASE("a full disk is the machine's fault") {
  if (!std::filesystem::exists("/dev/full")) return;
  CHECK(write_file_atomically("/dev/full", "x").error().kind() == ErrorKind::Machine);
}

TEST_CASE("writing through a link keeps the link") {
  Folder folder;
  REQUIRE(write_file_atomically(folder / "target", "old"));
  std::filesystem::create_symlink("target", folder / "link");
  REQUIRE(write_file_atomically(folder / "link", "new"));
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(*read_file(folder / "target") == "new");
}

TEST_CASE("dynamic libraries: the first that loads, or each attempt by name") {
  auto libm = DynamicLibrary::open({"libno-such-thing.so.9", "libm.so.6"});
  REQUIRE(libm);
  CHECK(libm->path() == "libm.so.6");
  CHECK(libm->symbol("cos") != nullptr);
  CHECK(libm->symbol("no_such_function") == nullptr);
  auto none = DynamicLibrary::open({"libno-such-thing.so.9"});
  REQUIRE(!none);
  CHECK(none.error().kind() == ErrorKind::Machine);
  CHECK(none.error().what().find("libno-such-thing.so.9") != std::string::npos);
}

TEST_CASE("a dynamic library stays in the process after its last user") {
  const char *name = "libBrokenLocale.so.1"; // of glibc; no library links it
  REQUIRE(::dlopen(name, RTLD_NOW | RTLD_NOLOAD) == nullptr);
  {
    REQUIRE(DynamicLibrary::open({name}));
  }
  CHECK(::dlopen(name, RTLD_NOW | RTLD_NOLOAD) != nullptr);
}

TEST_CASE("a log passes on what its level lets through") {
  std::vector<std::string> got;
  Log log(LogLevel::Info, [&](LogLevel, std::string_view text) { got.emplace_back(text); });
  log.warn("a{}", 1);
  log.debug("b");
  log.info("c");
  CHECK(got == std::vector<std::string>{"a1", "c"});
  Log(LogLevel::Error, [&](LogLevel, std::string_view) { got.emplace_back("d"); }).warn("d");
  Log().warn("e"); // to nobody
  CHECK(got.size() == 2);
}

TEST_CASE("JSON strings are quoted") { CHECK(json_string("a\"\\\n\tµ") == "\"a\\\"\\\\\\u000a\\u0009µ\""); }

TEST_CASE("a place tells its file, line and column without Kiln's own headers") {
  kiln::SourceMap files;
  auto file = files.add("kernels.jl", "x = 1\nä = é + y\n");
  kiln::Location at{file, 16, 17}; // the y: behind two characters of two bytes each
  CHECK(at.file_name() == "kernels.jl");
  CHECK(at.line() == 2);
  CHECK(at.column() == 9);
  kiln::Location nowhere;
  CHECK(nowhere.file_name().empty());
  CHECK(nowhere.line() == 0);
  CHECK(nowhere.column() == 0);
}

TEST_CASE("what a log's sink throws is caught, and the log goes on") {
  int calls = 0;
  const Log log(LogLevel::Info, [&](LogLevel, std::string_view) {
    calls++;
    throw 1;
  });
  log.warn("a");
  log.info("b");
  CHECK(calls == 2);
}

TEST_CASE("a thread knows which callbacks it is in") {
  int a = 0, b = 0;
  CHECK_FALSE(CallbackScope::is_inside(&a));
  {
    CallbackScope outer(&a);
    CallbackScope inner(&b);
    CHECK(CallbackScope::is_inside(&a));
    CHECK(CallbackScope::is_inside(&b));
    bool elsewhere = true;
    std::thread([&] { elsewhere = CallbackScope::is_inside(&a); }).join();
    CHECK_FALSE(elsewhere);
  }
  CHECK_FALSE(CallbackScope::is_inside(&a));
}

TEST_CASE("the environment is read where it is allowed, and not where an outer scope forbids it") {
  ::setenv("KILN_TEST_VARIABLE", "value", 1);
  CHECK(environment_text("KILN_TEST_VARIABLE") == "value");
  {
    EnvironmentScope outer(false);
    CHECK_FALSE(environment_variable("KILN_TEST_VARIABLE"));
    EnvironmentScope inner(true);
    CHECK_FALSE(environment_variable("KILN_TEST_VARIABLE"));
  }
  CHECK(environment_variable("KILN_TEST_VARIABLE"));
  ::unsetenv("KILN_TEST_VARIABLE");
  CHECK_FALSE(environment_variable("KILN_TEST_VARIABLE"));
}

TEST_CASE("a process has one number, its children have others, and what is theirs alone is left to them") {
  const uint64_t here = process_token();
  CHECK(here != 0);
  CHECK(process_token() == here);
  uint64_t on_thread = 0;
  std::thread([&] { on_thread = process_token(); }).join();
  CHECK(on_thread == here);
  struct Tells {
    bool &gone;
    ~Tells() { gone = true; }
  };
  if (!wipes_on_fork()) return;
  bool gone = false;
  auto object = make_of_process<Tells>(Tells{gone});
  gone = false; // of the temporary
  const pid_t child = ::fork();
  if (child == 0) {
    object.reset();
    const uint64_t there = process_token();
    ::_exit(there != 0 && there != here && there == process_token() && !gone ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  object.reset();
  CHECK(gone);
}

TEST_CASE("numbers of things in messages") {
  CHECK(counted(0, "job") == "0 jobs");
  CHECK(counted(1, "job") == "1 job");
  CHECK(counted(2, "job") == "2 jobs");
  CHECK(counted(1, "entry", "entries") == "1 entry");
  CHECK(counted(uint64_t(1) << 40, "entry", "entries") == "1099511627776 entries");
}

TEST_CASE("UTF-8 text is cut between characters, one column each") {
  CHECK(shorten_end("αβγδ", 4) == "αβγδ");
  CHECK(shorten_end("αβγδ", 3) == "αβ…");
  CHECK(shorten_end("", 1) == "");
  CHECK(shorten_end("ab", 1) == "…");
  CHECK(shorten_start("αβγδ", 4) == "αβγδ");
  CHECK(shorten_start("αβγδ", 3) == "…γδ");
  CHECK(shorten_start("abc", 1) == "…");
}
