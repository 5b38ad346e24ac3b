"""questionary's list with its filter, over the options in a file."""

import sys

import questionary

with open(sys.argv[1], encoding="utf-8") as file:
    options = file.read().splitlines()
print(questionary.select("Which file?", choices=options, use_search_filter=True, use_jk_keys=False).ask())
