# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the scripts of this folder leave what they measured."""
import json


def add_options(parser):
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--report", help="a file for the text")


def write(options, text, figures):
    """Prints the text, and writes both to the files that the options name."""
    print(text)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as file:
            file.write(text)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)
