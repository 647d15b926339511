// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of several pages that begins as zeros, with an alignment of its own.

static _Alignas(256) unsigned char area[50000];

unsigned char *area_begin(void) { return area; }
long area_bytes(void) { return sizeof area; }
