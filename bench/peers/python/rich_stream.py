"""Streams text as programs written with rich do: one print for each piece that arrives."""
import json, sys
from rich.console import Console

console = Console()
for line in open(sys.argv[1]):
    console.print(json.loads(line)["text"], end="", markup=False, highlight=False)
sys.stdin.readline()
