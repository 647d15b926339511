// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host whose standard streams are closed: what it prints then goes into no file of the guest's or its own.
#include "manners.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <kiln/program.h>
#include <unistd.h>

using namespace kiln;

namespace guest {

namespace {

constexpr const char *kernel = "using CUDA\nfunction put(y)\n    y[threadIdx().x] = 1\n    return\nend\n";
constexpr const char *text = R"(
f = open("FOLDER/mine.txt", "w")
println(f, "data")
open("FOLDER/printed.txt", "w") do file
    redirect_stdout(file) do
        println("kept")
    end
end
flush(f)
)";

bool are_closed() {
  for (int stream : {0, 1, 2})
    if (::fcntl(stream, F_GETFD) != -1) return false;
  return true;
}

std::string content(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

int closed_streams() {
  std::string name = (std::filesystem::temp_directory_path() / "kiln-closed-XXXXXX").string();
  EXPECT(::mkdtemp(name.data()));
  const std::filesystem::path folder = name;
  std::string program = text;
  for (size_t at; (at = program.find("FOLDER")) != std::string::npos;)
    program.replace(at, 6, folder.string());
  const int kept = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
  for (int stream : {0, 1, 2}) ::close(stream);
  bool stayed_closed = true;
  std::string fault;
  {
    SessionOptions options;
    options.cache_dir = (folder / "cache").string();
    options.trace_jobs = (folder / "trace").string();
    options.dump_dir = (folder / "dump").string();
    options.perf_dir = (folder / "perf").string();
    options.host_library = &programs_library();
    std::ofstream(folder / "put.jl") << kernel;
    auto session = take(Session::open(options));
    auto look = [&] {
      stayed_closed = stayed_closed && are_closed();
      for (int stream : {1, 2}) (void)!::write(stream, "astray", 6);
    };
    take(session->load_file((folder / "put.jl").string()));
    look();
    std::vector<int64_t> y(4);
    auto launched = session->launch("put", {.threads = {4, 1, 1}}, {Argument::array(y.data(), {4})});
    if (!launched.ok()) fault = launched.error().what();
    look();
    auto of_session = Program::make(*session, {});
    auto ran = (*of_session)->run_text("text", program);
    if (!ran.ok()) fault = ran.error().what();
    look();
    session->flush_cache();
    look();
  }
  ::dup2(kept, STDERR_FILENO);
  EXPECT(stayed_closed);
  if (!fault.empty()) std::fputs(fault.c_str(), stderr);
  EXPECT(fault.empty());
  size_t files = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files++;
    EXPECT(content(entry.path()).find("astray") == std::string::npos);
  }
  EXPECT(files > 6); // of the cache, the trace, the dump and perf
  EXPECT(content(folder / "mine.txt") == "data\n");
  EXPECT(content(folder / "printed.txt") == "kept\n");
  std::filesystem::remove_all(folder);
  return 0;
}

} // namespace guest
