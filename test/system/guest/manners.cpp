// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host that looks at itself before and after it has had a guest: manners PART, which processes.py or CTest
// calls.
#include "manners.h"

#include <cerrno>
#include <cfenv>
#include <charconv>
#include <clocale>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace kiln;
using namespace guest;

namespace {

constexpr const char *program = R"(
using CUDA
const third = 1.0 / 3.0
function add(y, x)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] += x + third
    end
    return
end
)";
constexpr const char *call = "add(CuDeviceVector{Float64,1}, Float64)";

int entries(const char *folder) {
  int count = 0;
  DIR *open = ::opendir(folder);
  while (const dirent *each = ::readdir(open)) count += each->d_name[0] != '.';
  ::closedir(open);
  return count;
}
int threads() { return entries("/proc/self/task"); }
int files() { return entries("/proc/self/fd"); }

/// What each signal does; the bytes of the mask that the kernel keeps.
std::map<int, std::string> signals() {
  std::map<int, std::string> all;
  for (int signal = 1; signal < NSIG; signal++) {
    struct sigaction action{};
    if (::sigaction(signal, nullptr, &action) != 0) continue;
    std::ostringstream text;
    text << reinterpret_cast<void *>(action.sa_sigaction) << " " << action.sa_flags;
    for (int other = 1; other < NSIG; other++) text << ::sigismember(&action.sa_mask, other);
    all[signal] = text.str();
  }
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  std::string text;
  for (int other = 1; other < NSIG; other++) text += char('0' + ::sigismember(&blocked, other));
  all[0] = text;
  return all;
}

CompilerConfig ptx() {
  CompilerConfig config{.target = PtxOptions{}};
  config.kernel = true;
  return config;
}

std::unique_ptr<Session> open(SessionOptions options = {}) {
  options.cache_dir = "";
  auto session = take(Session::open(options));
  take(session->load("add.jl", program));
  return session;
}

void use(Session &session) {
  take(session.compile(call, ptx(), ArtifactKind::Assembly));
  std::vector<double> y(10000, 1);
  done(session.launch("add", {.blocks = {40, 1, 1}, .threads = {256, 1, 1}},
                      {Argument::array(y.data(), {10000}), Argument::scalar(1.0)}));
  EXPECT(y[9999] == 1 + (1 + 1.0 / 3.0));
  Stream stream = session.stream();
  done(stream.fill(y.data(), 0, 80000));
  done(stream.synchronize());
  (void)session.load_file("/no/such/file.jl");
  (void)session.compile("no_such_function()", {}, ArtifactKind::Assembly);
  (void)session.gpus(); // where there is no driver, too
}

int state() {
  const auto signals_before = signals();
  const std::string locale_before = std::setlocale(LC_ALL, nullptr);
  const int files_before = files();
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_INVALID);
  char folder[4096], folder_after[4096];
  EXPECT(::getcwd(folder, sizeof folder));
  EXPECT(threads() == 1);
  {
    auto session = open();
    EXPECT(threads() == 1); // none before it is needed: to open, to load,
    take(session->compile(call, ptx(), ArtifactKind::Assembly));
    take(session->compile(call, {}, ArtifactKind::Object));
    EXPECT(threads() == 1); // to compile
    std::vector<double> one(1);
    done(session->launch("add", {}, {Argument::array(one.data(), {1}), Argument::scalar(1.0)}));
    EXPECT(threads() == 1); // or for a single block
    errno = 77;
    use(*session);
    EXPECT(errno == 77);
  }
  EXPECT(signals() == signals_before);
  EXPECT(locale_before == std::setlocale(LC_ALL, nullptr));
  EXPECT(std::fegetround() == FE_TONEAREST);
  EXPECT(std::fetestexcept(FE_ALL_EXCEPT) == FE_INVALID);
  EXPECT(::getcwd(folder_after, sizeof folder_after) && std::string(folder) == folder_after);
  // A driver that was opened stays, with what it has open; without one nothing is left.
  if (::access("/proc/driver/nvidia", F_OK) != 0) EXPECT(files() == files_before);
  return 0;
}

volatile std::sig_atomic_t caught = 0;

/// The host's handlers see what is sent to it while the guest is at work, on the host's thread.
int signals_of_host() {
  struct sigaction action{};
  action.sa_handler = [](int) { caught = caught + 1; };
  ::sigaction(SIGUSR1, &action, nullptr);
  ::sigaction(SIGALRM, &action, nullptr);
  auto session = open();
  std::atomic<bool> ended{false};
  const pthread_t host = ::pthread_self();
  std::thread sender([&] {
    while (!ended) {
      ::pthread_kill(host, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  for (int i = 0; i < 20; i++) {
    take(session->load("more.jl", "g" + std::to_string(i) + "(x) = x + " + std::to_string(i) + "\n"));
    use(*session);
  }
  ended = true;
  sender.join();
  EXPECT(caught > 0);
  return 0;
}

/// Errors of every kind are values: nothing ends the process, and what atexit was given runs when the host
/// ends.
int exits() {
  auto session = open();
  take(session->load(
      "bad.jl",
      "function bad(y)\n    y[5] = 1\n    return\nend\nfunction loops(y)\n    while true\n        y[1] += 1\n    end\n    return\nend\n"));
  std::vector<double> y(4);
  auto failed = session->launch("bad", {}, {Argument::array(y.data(), {4})});
  EXPECT(!failed.ok() && failed.error().kind() == ErrorKind::Input);
  failed = session->launch("loops", {}, {Argument::array(y.data(), {4})}, {},
                           {.time_limit = std::chrono::milliseconds(20)});
  EXPECT(!failed.ok() && failed.error().kind() == ErrorKind::Input);
  EXPECT(!session->load("syntax.jl", "function (").ok());
  CompilerConfig wrong = ptx();
  wrong.target = PtxOptions{.sm = 3};
  EXPECT(!session->compile(call, wrong, ArtifactKind::Assembly).ok());
  EXPECT(
      !session
           ->launch("add", {.threads = {9999, 1, 1}}, {Argument::array(y.data(), {4}), Argument::scalar(1.0)})
           .ok());
  use(*session);
  return 0;
}

/// All that the session makes of the program, as text: the same in every locale.
int texts() {
  std::setlocale(LC_ALL, "");
  char half[16];
  std::snprintf(half, sizeof half, "%.1f", 0.5);
  std::printf("the host writes %s\n", half);
  auto session = open();
  take(session->load(
      "floats.jl",
      "const small = 1e-310\nconst tenth = 0.1f0\nconst half16 = Float16(0.1)\n"
      "function numbers(y)\n    y[1] = small\n    y[2] = tenth\n    y[3] = half16\n    y[4] = 2.5e10 * y[3]\n    return\nend\n"));
  for (auto kind : {ArtifactKind::Typed, ArtifactKind::Llvm, ArtifactKind::Assembly})
    std::fputs(take(session->compile("numbers(CuDeviceVector{Float64,1})", ptx(), kind))->bytes.c_str(),
               stdout);
  std::fputs(
      take(session->compile("numbers(CuDeviceVector{Float64,1})", {}, ArtifactKind::LlvmOpt))->bytes.c_str(),
      stdout);
  std::vector<double> y(4);
  done(session->launch("numbers", {}, {Argument::array(y.data(), {4})}));
  for (double each : y) { // printf would write the locale's comma
    char text[64];
    std::printf("%.*s\n",
                int(std::to_chars(text, text + sizeof text, each, std::chars_format::hex).ptr - text), text);
  }
  EXPECT(take(session->read_config(R"({"O": 1})")).opt_level == 1);
  return 0;
}

/// In a program with more rights than its caller the environment says nothing.
int setuid_program() {
  auto session = take(Session::open()); // KILN_LOG=garbage would be refused
  take(session->load("add.jl", program));
  use(*session);
  std::puts(::getuid() != ::geteuid() ? "more rights" : "the caller's rights");
  return 0;
}

/// For gdb and perf: launches that take a while.
int visible(const char *folder) {
  SessionOptions options;
  options.gdb = true;
  if (folder) options.perf_dir = folder;
  auto session = open(options);
  take(session->load(
      "spin.jl",
      "function spin(y, n)\n    s = 0.0\n    for i in 1:n\n        s = s * 0.999 + i\n    end\n    y[1] = s\n    return\nend\n"));
  std::vector<double> y(1);
  done(session->launch("spin", {}, {Argument::array(y.data(), {1}), Argument::scalar(int64_t(100'000'000))}));
  return 0;
}

} // namespace

int main(int count, char **words) {
  const std::string part = count > 1 ? words[1] : "";
  if (part == "state") return state();
  if (part == "signals") return signals_of_host();
  if (part == "exits") return exits();
  if (part == "floats") return floats();
  if (part == "texts") return texts();
  if (part == "closed") return closed_streams();
  if (part == "setuid") return setuid_program();
  if (part == "visible") return visible(count > 2 ? words[2] : nullptr);
  std::fputs("manners state|signals|exits|floats|texts|closed|setuid|visible [FOLDER]\n", stderr);
  return 2;
}
