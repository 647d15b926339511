# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %kiln explain 108 | %filecheck %s --match-full-lines
# RUN: %kiln explain BoundsError | %filecheck %s --match-full-lines
#      CHECK: 108: BoundsError (exit status 1)
# CHECK-EMPTY:
# CHECK-NEXT: An index is outside the array, tuple or string.
# CHECK-NEXT: Compare the index with length or axes first. @inbounds removes the check, not the fault.
# RUN: %kiln explain 'JSON error' | %filecheck %s --check-prefix=BLANK
# BLANK: 140: JSON error
# RUN: %kiln explain --json 302 | python3 -c 'import json, sys; x = json.load(sys.stdin); print(x["number"], x["name"], x["kind"], x["exit_status"])' | %filecheck %s --check-prefix=JSON
# JSON: 302 DeadlineExceeded machine 3
# RUN: %kiln explain --json | python3 -c 'import json, sys; n = [x["number"] for x in json.load(sys.stdin)]; print(n == sorted(set(n)), n[0])' | %filecheck %s --check-prefix=ALL
# ALL: True 100
# RUN: %kiln explain | %filecheck %s --check-prefix=LIST
# LIST: 101  syntax error
# LIST: 401  LLVM error
# RUN: %status 2 %kiln explain 999 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# UNKNOWN: usage error[200]: no diagnostic has the number or name `999`
# UNKNOWN-NEXT: hint: kiln explain lists them; a message begins with the name and its number: MethodError[102]
