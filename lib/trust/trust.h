// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component trust (layer 2): keys and signatures that decide which code a remote store may deliver.
// docs/design/remote-trust.md describes the format, the keys and the rules.
//   digest      SHA-256, and digests as text
//   utc         dates and times of RFC 3339
//   secret      memory and files with secrets
//   keys        Ed25519 keys and their files
//   trust_list  public keys that a reader trusts, with dates
//   envelope    a signed entry
//   remote_trust  applies an agent's options --trust, --trust-keys and --sign-key to entries
//   commands    keygen, sign and verify of the program kiln-agent
#pragma once

#include "commands.h"
#include "envelope.h"
#include "keys.h"
#include "remote_trust.h"
#include "trust_list.h"
