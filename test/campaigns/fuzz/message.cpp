// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of worker processes: whatever comes in, cut anywhere, is a message that was sent or an error;
// and a message that is whole comes out as it went in.
#include <workers/workers.h>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace kiln;
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (bytes.size() < 2) return 0;
  const size_t step = size_t(data[0]) + 1;
  // Bytes alone hardly ever have the right sums, so half of the runs begin with a message that has them.
  std::string text(bytes.substr(2));
  const size_t cut = data[1] % 2 ? std::min<size_t>(text.size(), data[1]) : 0;
  if (cut) text = message_header(data[0], text.substr(0, cut)) + text;
  MessageReader reader;
  bool first = cut != 0;
  for (size_t at = 0; at < text.size(); at += step) {
    const bool readable = reader.feed(std::string_view(text).substr(at, step)).ok();
    while (auto message = reader.next()) {
      if (first && (message->type != data[0] || message->payload != bytes.substr(2, cut))) std::abort();
      first = false;
    }
    if (!readable) break;
  }
  (void)read_hello(text);
  return 0;
}
