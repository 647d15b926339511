// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.h"

#include "command.h"

#include <kiln/advise.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln::tool {

Manner &manner() {
  static Manner manner;
  return manner;
}

void add_manner_to(CLI::App &app) {
  using Colour = Manner::Colour;
  static const std::map<std::string, Colour> modes = {
      {"auto", Colour::Auto}, {"always", Colour::Always}, {"never", Colour::Never}};
  allow_words(*app.add_option_function<std::string>(
                  "--color",
                  [](const std::string &mode) {
                    if (auto found = modes.find(mode); found != modes.end()) manner().colour = found->second;
                  },
                  "colours of messages (auto: on a terminal, unless NO_COLOR is set)"),
              {"auto", "always", "never"});
  app.add_flag("--quiet", manner().quiet, "neither notes nor warnings");
}

void note(std::string_view text) {
  if (!manner().quiet) log_to_standard_error(LogLevel::Info, text);
}

size_t terminal_width(int file) {
  struct winsize size{};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 100;
}

bool wants_colour(int file) {
  if (manner().colour != Manner::Colour::Auto) return manner().colour == Manner::Colour::Always;
  // By no-color.org, any NO_COLOR that is not empty disables colours.
  const char *no_color = std::getenv("NO_COLOR");
  return ::isatty(file) && !(no_color && *no_color);
}

namespace {

bool is_reported = false; ///< the error of a failed write to standard output was returned

/// errno of the first failed write to standard output. 0: no write failed, or the errno is unknown.
int output_error = 0;

/// Writes text and a newline to standard error. Returns false if the write fails.
bool print_error(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stderr) == text.size() && std::fputc('\n', stderr) != EOF;
}

Error lost_output(std::string_view stream, int code) {
  return machine_error(
      fmt::format("cannot write to {}{}{}", stream, code ? ": " : "", code ? std::strerror(code) : ""),
      "the output is not complete: write it to a file or pipe that takes it");
}

/// Returns the command line of this process, with spaces between the words.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words((std::istreambuf_iterator<char>(file)), {});
  while (words.ends_with('\0')) words.pop_back();
  std::replace(words.begin(), words.end(), '\0', ' ');
  return words;
}

bool is_standard_output(const std::string &path) { return path.empty() || path == "-"; }

} // namespace

int report(const Error &error) {
  print_error(render(error, wants_colour(STDERR_FILENO)));
  if (error.kind() == ErrorKind::Internal)
    print_error(
        "This is a fault of Kiln, not of your program. Please report it to Kiln's maintainers with this message, the command line,\n"
        "the files it names and what `kiln doctor` prints.");
  return int(error.kind());
}

bool flush_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return true;
  if (output_error == 0) output_error = errno;
  return false;
}

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && output_error == 0)
    output_error = errno;
  if (::isatty(STDOUT_FILENO)) (void)flush_output();
}

int finish_output(int status) {
  if (!flush_output() && !is_reported) {
    const int reported = report(lost_output("standard output", output_error));
    if (status == 0) status = reported;
  }
  std::fflush(stderr);
  return status;
}

Result<void> check_writable(const std::string &path) {
  if (is_standard_output(path)) return {};
  auto cannot = [&](int code) {
    return input_error(fmt::format("cannot write {}: {}", path, std::strerror(code)));
  };
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return input_error(fmt::format("cannot write {}: it is a directory", path));
    if (!S_ISREG(status.st_mode)) return ::access(path.c_str(), W_OK) == 0 ? Result<void>() : cannot(errno);
  } else if (errno != ENOENT) {
    return cannot(errno);
  }
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  if (::stat(folder.c_str(), &status) != 0) return cannot(errno);
  if (!S_ISDIR(status.st_mode)) return cannot(ENOTDIR);
  if (::access(folder.c_str(), W_OK) != 0) return cannot(errno);
  return {};
}

Result<void> write_result(const std::string &path, std::string_view bytes) {
  if (!is_standard_output(path)) return write_file_atomically(path, bytes);
  write_output(bytes);
  if (flush_output()) return {};
  is_reported = true;
  return lost_output("standard output", output_error);
}

TimingForm read_timing_form(std::string_view text) {
  if (text == "table" || text == "short" || text == "json" || text == "otlp") return {text, {}};
  for (std::string_view form : {"json", "trace", "html", "otlp"})
    if (text.starts_with(form) && text.size() > form.size() + 1 && text[form.size()] == ':')
      return {form, text.substr(form.size() + 1)};
  return {};
}

Result<void> write_timings(Session &session, const CommonOptions &options, std::span<const Job> jobs) {
  const TimingForm wanted = read_timing_form(options.timings);
  if (wanted.form.empty()) return {};
  if (wanted.form == "otlp" && wanted.file.empty()) return session.send_spans();
  TimingReport report;
  if (!wanted.has_events()) report = session.timings();
  if (options.wants_advice()) KILN_CHECK(add_advice(session, jobs, report));
  return write_timings(
      std::move(report), [&] { return wanted.form == "otlp" ? session.spans() : session.trace(); }, options);
}

Result<void> write_timings(const std::shared_ptr<Timer> &timer, std::vector<TimingKernel> kernels,
                           const CommonOptions &options) {
  if (!timer) return {};
  TimingReport report = timer->report();
  report.kernels = std::move(kernels);
  auto events = [&, is_otlp = read_timing_form(options.timings).form == "otlp"] {
    return is_otlp ? timer->spans_json(report, SIZE_MAX) : timer->trace_json();
  };
  return write_timings(report, events, options);
}

Result<void> write_timings(TimingReport report, const std::function<std::string()> &events,
                           const CommonOptions &options) {
  const TimingForm wanted = read_timing_form(options.timings);
  const auto [form, file] = wanted;
  report.title = command_line();
  std::string text = wanted.has_events() ? events()
                     : form == "html"    ? report.html()
                     : form == "json"    ? report.json()
                     : form == "short"   ? report.short_table()
                                         : report.table();
  if (!file.empty()) {
    Result<void> written = write_result(std::string(file), text);
    if (written.ok()) return {};
    Error error = written.take_error();
    error.diagnostics()[0].hint = fmt::format("this is the report of --timings={}; what the command made is "
                                              "complete: name a file in a folder that can be written to",
                                              options.timings);
    return error;
  }
  while (text.ends_with('\n')) text.pop_back();
  if (!print_error(text)) return lost_output("standard error", errno);
  return {};
}

} // namespace kiln::tool
