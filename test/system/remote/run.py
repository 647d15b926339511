#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program kiln-agent with real servers, lying servers, and sessions of all kinds.

    run.py AGENT GROUP...    http, http_details, apache, redis, valkey, folder (stores.py); tls (tls.py); faults (faults.py); life, stop, late_reading, clients (life.py), full, proxy (limits.py); leases (leases.py); jobs (jobs.py); s3, s3_signed (s3.py); network_folder (network_folder.py)

Exit status 77: a server is not installed, and its package was printed."""
import os
import sys

import faults
import jobs
import leases
import life
import limits
import network_folder
import s3
import stores
import tls

if __name__ == "__main__":
    groups = {**stores.GROUPS, **faults.GROUPS, **life.GROUPS, **limits.GROUPS, **leases.GROUPS, **jobs.GROUPS, **s3.GROUPS, **network_folder.GROUPS, **tls.GROUPS}
    for group in sys.argv[2:]:
        groups[group](os.path.abspath(sys.argv[1]))
