// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for streams: memory and files. A stream is closed with the last value that refers to it.
#include "library.h"

#include <algorithm>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <support/descriptor.h>
#include <unistd.h>
#include <utility>

namespace kiln {

namespace {

class ByteStream final : public HostObject {
public:
  std::string memory; ///< of a buffer
  size_t position = 0;
  std::unique_ptr<FILE, int (*)(FILE *)> file{nullptr, std::fclose};
  bool is_file = false;
  std::string name;

  std::string text() const override {
    return is_file ? "IOStream(<file " + name + ">)"
                   : "IOBuffer(data=UInt8[...], size=" + std::to_string(memory.size()) + ")";
  }
  bool write(std::string_view bytes) {
    if (is_file) return file && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    if (position > memory.size()) memory.resize(position);
    memory.replace(position, std::min(bytes.size(), memory.size() - position), bytes);
    position += bytes.size();
    return true;
  }
  int get() {
    if (is_file) return file ? std::getc(file.get()) : EOF;
    return position < memory.size() ? uint8_t(memory[position++]) : EOF;
  }
  bool at_end() {
    if (!is_file) return position >= memory.size();
    if (!file) return true;
    const int next = std::getc(file.get());
    if (next == EOF) return true;
    std::ungetc(next, file.get());
    return false;
  }
};

ByteStream *stream_of(const Value &v) { return dynamic_cast<ByteStream *>(v.as_object()); }

Error system_error(const std::string &what) {
  return make_error(ErrorCode::SystemError, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Returns true for standard input: a standard stream's struct holds a number, and that of standard input is
/// 0.
bool is_input(const Value &v) {
  const std::vector<Value> *fields = v.fields();
  return fields && fields->size() == 1 && (*fields)[0].is_primitive() && (*fields)[0].low_bits() == 0;
}

} // namespace

void add_streams(Library &l) {
  TypeContext &types = l.types;
  Program::State &program = l.program;
  // __write_stream(number, text): writes to the standard output (1) or error output (2)
  l.add("__write_stream", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *text = a[1].as_string();
    if (!text) return Value();
    const uint64_t number = a[0].low_bits();
    const auto &redirected = number == 1 ? program.redirected_output.to : program.redirected_errors.to;
    if ((number == 1 || number == 2) && redirected) {
      std::fflush(number == 1 ? stdout : stderr); // earlier output of kernels
      ByteStream *to = stream_of(*redirected);
      if (to && to->write(*text) && to->file) std::fflush(to->file.get());
      return types.int64(int64_t(text->size()));
    }
    if (number == 1 && program.options.output) program.options.output(*text);
    if (number == 2 && program.options.error_output) program.options.error_output(*text);
    return types.int64(int64_t(text->size()));
  });
  // __read_some(stream, n): the next bytes, n at most
  l.add("__read_some", 2, [&](Interpreter &, Args a) -> Result<Value> {
    ByteStream *stream = stream_of(a[0]);
    if (!stream) return Value();
    std::string some;
    const size_t n = size_t(std::max<int64_t>(0, int64_t(a[1].low_bits())));
    for (int c; some.size() < n && (c = stream->get()) != EOF;) some += char(c);
    return l.text(std::move(some));
  });
  l.add("__seek_end", 1, [&](Interpreter &, Args a) -> Result<Value> {
    ByteStream *stream = stream_of(a[0]);
    if (!stream) return Value();
    if (stream->file) std::fseek(stream->file.get(), 0, SEEK_END);
    stream->position = stream->memory.size();
    return l.nothing();
  });
  // __redirect(number, stream): redirects what is printed to the output (1) or the error output (2), and what
  // kernels print there if the stream is a file. __redirect(number, nothing) ends the redirection.
  l.add("__redirect", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const bool is_output = a[0].low_bits() == 1;
    auto &redirection = is_output ? program.redirected_output : program.redirected_errors;
    const int descriptor = is_output ? STDOUT_FILENO : STDERR_FILENO;
    std::fflush(is_output ? stdout : stderr);
    if (const std::optional<int> before = std::exchange(redirection.descriptor_before, std::nullopt)) {
      if (*before >= 0) {
        ::dup2(*before, descriptor);
        ::close(*before);
      } else {
        ::close(descriptor);
      }
    }
    redirection.to.reset();
    ByteStream *to = stream_of(a[1]);
    if (!to) return l.nothing();
    redirection.to = a[1];
    if (to->file) {
      redirection.descriptor_before = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      ::dup2(::fileno(to->file.get()), descriptor);
    }
    return l.nothing();
  });
  l.add("__write_object", 2, [&](Interpreter &, Args a) -> Result<Value> {
    ByteStream *stream = stream_of(a[0]);
    const std::string *text = a[1].as_string();
    if (!stream || !text) return Value();
    if (!stream->write(*text))
      return make_error(ErrorCode::ArgumentError,
                        fmt::format("write failed, {} is not open for it", stream->text()));
    return types.int64(int64_t(text->size()));
  });
  l.add("__new_buffer", 2, [&](Interpreter &, Args a) -> Result<Value> {
    auto stream = std::make_shared<ByteStream>();
    if (const std::string *text = a[1].as_string()) stream->memory = *text;
    return Value::object(a[0].as_type(), std::move(stream));
  });
  l.add("__take", 1, [&](Interpreter &, Args a) -> Result<Value> {
    ByteStream *stream = stream_of(a[0]);
    if (!stream) return Value();
    KILN_TRY(Value bytes, l.bytes_vector(stream->memory));
    stream->memory.clear();
    stream->position = 0;
    return bytes;
  });
  l.add("__bytes_to_string", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[0].as_array();
    if (!array || array->element != types.builtins().UInt8) return Value();
    return l.text(std::string(reinterpret_cast<const char *>(array->bytes.data()), array->bytes.size()));
  });
  l.add("__bytes_text", 1, [&](Interpreter &, Args a) -> Result<Value> {
    if (const HostArray *array = a[0].as_array())
      return l.text(std::string(reinterpret_cast<const char *>(array->bytes.data()), array->bytes.size()));
    KILN_TRY(auto bytes, to_bytes(types, a[0]));
    return l.text(std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
  });
  l.add("__open", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *path = a[1].as_string(), *mode = a[2].as_string();
    if (!path || !mode) return Value();
    std::error_code error;
    auto stream = std::make_shared<ByteStream>();
    stream->is_file = true;
    stream->name = *path;
    if (std::filesystem::is_directory(*path, error))
      errno = EISDIR;
    else
      stream->file.reset(open_stream(path->c_str(), mode->c_str()));
    if (!stream->file) return system_error(fmt::format("opening file {}", to_string(a[1])));
    return Value::object(a[0].as_type(), std::move(stream));
  });
  l.add("__is_open", 1, [&](Interpreter &, Args a) -> Result<Value> {
    ByteStream *stream = stream_of(a[0]);
    return types.boolean(stream && (!stream->is_file || stream->file));
  });
  l.add("__close", 1, [&](Interpreter &, Args a) -> Result<Value> {
    if (ByteStream *stream = stream_of(a[0])) {
      const bool failed = stream->file && std::ferror(stream->file.get());
      if (stream->file && (std::fflush(stream->file.get()) != 0 || failed))
        return system_error(fmt::format("writing file {}", stream->name));
      stream->file.reset();
    }
    return l.nothing();
  });
  l.add("__flush", 1, [&](Interpreter &, Args a) -> Result<Value> {
    if (ByteStream *stream = stream_of(a[0]); stream && stream->file && std::fflush(stream->file.get()) != 0)
      return system_error(fmt::format("writing file {}", stream->name));
    return l.nothing();
  });
  l.add("__seek", 2, [&](Interpreter &, Args a) -> Result<Value> {
    ByteStream *stream = stream_of(a[0]);
    if (!stream) return Value();
    if (stream->file) std::fseek(stream->file.get(), long(a[1].low_bits()), SEEK_SET);
    stream->position = size_t(a[1].low_bits());
    return l.nothing();
  });
  l.add("__position", 1, [&](Interpreter &, Args a) -> Result<Value> {
    ByteStream *stream = stream_of(a[0]);
    if (!stream) return Value();
    return types.int64(stream->file ? std::ftell(stream->file.get()) : int64_t(stream->position));
  });
  l.add("__truncate", 2, [&](Interpreter &, Args a) -> Result<Value> {
    ByteStream *stream = stream_of(a[0]);
    if (!stream || stream->is_file) return Value();
    stream->memory.resize(std::min(stream->memory.size(), size_t(a[1].low_bits())));
    stream->position = std::min(stream->position, stream->memory.size());
    return l.nothing();
  });
  auto waiting =
      std::make_shared<std::optional<std::string>>(); // input line that was read ahead to detect the end
  auto at_end = [&program, waiting] {
    if (!*waiting && program.options.input) {
      const StageScope stage(&log_of(program.session).timer, Stage::WaitForInput);
      *waiting = program.options.input();
    }
    return !*waiting;
  };
  l.add("__eof", 1, [&, at_end](Interpreter &, Args a) -> Result<Value> {
    if (ByteStream *stream = stream_of(a[0])) return types.boolean(stream->at_end());
    return types.boolean(!is_input(a[0]) || at_end());
  });
  l.add("__read_line", 2, [&, at_end, waiting](Interpreter &, Args a) -> Result<Value> {
    const bool keep = a[1].low_bits() & 1;
    std::string line;
    if (ByteStream *stream = stream_of(a[0])) {
      if (stream->is_file && !stream->file)
        return make_error(ErrorCode::ArgumentError, "the stream is closed");
      for (int c = stream->get(); c != EOF; c = stream->get()) {
        line += char(c);
        if (c == '\n') break;
      }
      if (!keep && line.ends_with('\n')) line.pop_back();
      if (!keep && line.ends_with('\r')) line.pop_back();
    } else if (!at_end()) {
      line = std::move(**waiting) + (keep ? "\n" : "");
      waiting->reset();
    }
    return l.text(std::move(line));
  });
  l.add("__read_rest", 1, [&, at_end, waiting](Interpreter &, Args a) -> Result<Value> {
    std::string all;
    if (ByteStream *stream = stream_of(a[0])) {
      for (int c = stream->get(); c != EOF; c = stream->get()) {
        KILN_CHECK(l.check_interrupt());
        all += char(c);
      }
    } else {
      while (!at_end()) {
        all += **waiting + "\n";
        waiting->reset();
      }
    }
    return l.text(std::move(all));
  });
}

} // namespace kiln
