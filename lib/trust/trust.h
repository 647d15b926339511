// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component trust (layer 2): who may put code into a remote store. docs/design/remote-trust.md describes the
// format, the keys and the rules.
//   digest      SHA-256, and digests as text
//   utc         dates and times of RFC 3339
//   secret      memory and files that hold secrets
//   keys        Ed25519 keys and their files
//   trust_list  the public keys that a reader trusts, with dates
//   envelope    a signed entry
//   remote_trust  what an agent does with entries: --trust, --trust-keys, --sign-key
//   commands    keygen, sign and verify of the program kiln-agent
#pragma once

#include "commands.h"
#include "envelope.h"
#include "keys.h"
#include "remote_trust.h"
#include "trust_list.h"
