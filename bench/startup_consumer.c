/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * startup_consumer FILE OUT: what `kiln compile FILE saxpy(...) --no-cache -o OUT` does, by a program that is
 * linked against libkiln.so. startup.py measures both by turns. */
#include <kiln/c.h>

#include <stdio.h>

static int fail(kiln_error *error) {
  fputs(kiln_error_text(error), stderr);
  return 1;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  kiln_error *error;
  kiln_session *session;
  kiln_artifact *ptx;
  static const char config[] = "{\"target\": \"ptx\", \"arch\": \"sm_90\"}";
  kiln_session_options options = {.struct_size = sizeof options, .cache_dir = "", .warm_up = config};
  if (kiln_session_open(&options, &session, &error)) return fail(error);
  if (kiln_load_file(session, words[1], &error)) return fail(error);
  if (kiln_compile(session, "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)", config,
                   "asm", &ptx, &error))
    return fail(error);
  size_t size;
  const char *text = kiln_artifact_data(ptx, &size);
  FILE *out = fopen(words[2], "w");
  if (!out || fwrite(text, 1, size, out) != size || fclose(out)) return 1;
  fflush(NULL);
  return 0; /* the process ends with its memory, as the program kiln does */
}
