// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of a plan in one process, for run.py: each is compiled and launched by itself, so that an
// exception of one leaves the others alone. Standard input has a line a kernel,
//
//   NAME SLOTS THREADS BLOCKS  TYPE HEX  TYPE HEX ...
//
// with the arrays it is given, 8 elements a thread, as bytes; standard output a line for each,
//
//   NAME ran EXCEPTION HEX  HEX ...      the exception's name or "-", the results (Int64, 2 x SLOTS x
//   threads) and the arrays NAME failed EXIT MESSAGE             what compile or launch said, on one line
#include <kiln/kiln.h>

#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace kiln;

namespace {

struct Array {
  std::string type;
  std::vector<unsigned char> bytes;
  uint64_t element = 1;
};

std::vector<unsigned char> from_hex(const std::string &text) {
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::vector<unsigned char> bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<unsigned char>(digit(text[i]) * 16 + digit(text[i + 1])));
  return bytes;
}

void print_hex(const void *data, size_t bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  const auto *p = static_cast<const unsigned char *>(data);
  for (size_t i = 0; i < bytes; i++) text += {digits[p[i] >> 4], digits[p[i] & 15]};
  std::fputs(text.c_str(), stdout);
}

uint64_t element_size(const std::string &type) {
  if (type == "Bool" || type.ends_with("t8")) return 1;
  return std::stoul(type.substr(type.find_first_of("0123456789"))) / 8;
}

std::string on_one_line(const std::string &text) {
  std::string line;
  for (char c : text) line += c == '\n' ? '|' : c;
  return line;
}

struct Options {
  std::string file, ptx_folder;
  CompilerConfig config;
};

void report(const std::string &name, const Error &error) {
  std::printf("%s failed %d %s\n", name.c_str(), int(error.kind()), on_one_line(error.what()).c_str());
}

void run(Session &session, const Options &options, const std::string &line) {
  std::istringstream in(line);
  std::string name, type, hex;
  uint32_t slots = 0, threads = 0, blocks = 0;
  in >> name >> slots >> threads >> blocks;
  std::vector<Array> arrays;
  while (in >> type >> hex) arrays.push_back({type, from_hex(hex), element_size(type)});

  if (!options.ptx_folder.empty()) {
    std::string call = name + "(CuDeviceArray{Int64,3,1}";
    for (const Array &array : arrays) call += ", CuDeviceArray{" + array.type + ",2,1}";
    auto artifact = session.compile(call + ")", options.config, ArtifactKind::Assembly);
    if (!artifact.ok()) return report(name, artifact.error());
    std::string path = options.ptx_folder + "/" + name + ".ptx";
    std::FILE *file = std::fopen(path.c_str(), "wb");
    if (!file || std::fwrite((*artifact)->bytes.data(), 1, (*artifact)->bytes.size(), file) !=
                     (*artifact)->bytes.size())
      std::printf("%s failed 3 cannot write %s\n", name.c_str(), path.c_str());
    else
      std::printf("%s compiled\n", name.c_str());
    if (file) std::fclose(file);
    return;
  }

  int64_t all = int64_t(threads) * blocks;
  std::vector<int64_t> results(2 * size_t(slots) * size_t(all));
  std::vector<Argument> arguments{Argument::array(results.data(), {2, slots, all})};
  for (Array &array : arrays)
    arguments.push_back(Argument::array_of(array.type, array.bytes.data(), {8, all}, array.element));
  auto launched =
      session.launch(name, {.blocks = {blocks, 1, 1}, .threads = {threads, 1, 1}}, arguments, options.config);
  std::string exception = "-";
  if (!launched.ok()) {
    const std::string_view kind = launched.error().diagnostics()[0].name();
    if (!launched.error().diagnostics()[0].thread) return report(name, launched.error());
    exception = kind;
  }
  std::printf("%s ran %s ", name.c_str(), exception.c_str());
  print_hex(results.data(), results.size() * sizeof results[0]);
  for (const Array &array : arrays) {
    std::fputc(' ', stdout);
    print_hex(array.bytes.data(), array.bytes.size());
  }
  std::fputc('\n', stdout);
}

} // namespace

/// random_runner FILE.jl [-O0...-O3] [-g0...-g2] [--ptx FOLDER]
int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    std::string_view word = argv[i];
    if (word.starts_with("-O"))
      options.config.opt_level = word[2] - '0';
    else if (word.starts_with("-g"))
      options.config.debug_level = word[2] - '0';
    else if (word == "--ptx" && i + 1 < argc) {
      options.ptx_folder = argv[++i];
      options.config.target = PtxOptions{.sm = 90};
    } else
      options.file = word;
  }
  auto opened = Session::open({.cache_dir = ""});
  if (!opened.ok()) {
    std::fputs(opened.error().what().c_str(), stderr);
    return 2;
  }
  Session &session = **opened;
  auto loaded = session.load_file(options.file);
  if (!loaded.ok()) {
    std::fputs(loaded.error().what().c_str(), stderr);
    return 1;
  }
  for (const std::string &note : loaded->notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  std::string line;
  while (std::getline(std::cin, line)) {
    run(session, options, line);
    std::fflush(stdout); // run.py knows by the last line which kernel ended the process
  }
  return 0;
}
