# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Preferences of a package: LocalPreferences.toml goes before Project.toml, `__clear__` forgets, nothing is written.
#
# RUN: rm -rf %t.env %t.cache && cp -r %S/inputs/preferences %t.env && %status 1 %kiln script --project %t.env/env --cache %t.cache %s 2>&1 | %filecheck %s
# RUN: diff -r %S/inputs/preferences %t.env
#
# Another preference is another package: what is opened by an index has the new one.
# RUN: sed -i 's/"local"/"changed"/' %t.env/env/LocalPreferences.toml && %status 1 %kiln script --project %t.env/env --cache %t.cache %s 2>&1 | %filecheck %s --check-prefix=CHANGED
# CHANGED: changed 4 nothing
# CHANGED: 10.0
#
# A file that cannot be read is said.
# RUN: echo '[Chosen' > %t.env/env/LocalPreferences.toml && %status 1 %kiln script --project %t.env/env --no-cache %s 2>&1 | %filecheck %s --check-prefix=BROKEN
# BROKEN: {{.*}}LocalPreferences.toml:1:{{[0-9]+}}:

using Chosen
println(Chosen.backend, " ", Chosen.threads, " ", Chosen.missing_one)
# CHECK: local 4 nothing
println(Chosen.scaled(10.0))
# CHECK: 5.0
println(Chosen.sizes(), " ", Chosen.has("backend"), " ", Chosen.has("gone"))
# CHECK: [1, 2, 3] true false
try
    Chosen.store()
catch e
    println(e.msg)
end
# CHECK: Kiln reads preferences and writes none
Chosen.nested()
# CHECK: the preference `Chosen.nested` is a table
