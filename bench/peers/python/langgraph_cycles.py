"""Cycles of LangGraph with its SQLite checkpointer: a graph is interrupted to ask, and resumed with the answer.

Prints how many it makes in a second, with one thread and with 64, as it is by default and with as few checkpoints as it
offers. Its checkpointer for asyncio was tried, too: slower on a quiet machine, a little faster on a busy one.
"""

import json
import sqlite3
import sys
import time
from importlib.metadata import version
from threading import Thread
from typing import TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

SECONDS = 1.5
CLIENTS = [1, 64]
# By default each step's checkpoint is written while the next step runs; "exit" writes one when the graph stops. With both,
# what has returned is in the database.
DURABILITIES = ["async", "exit"]


class State(TypedDict):
    answer: str


def ask(_: State) -> State:
    return {"answer": interrupt("Which database should the new service use?")}


def graph(saver: SqliteSaver):
    builder = StateGraph(State)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    builder.add_edge("ask", END)
    return builder.compile(checkpointer=saver)


def cycle(compiled, durability: str, client: int) -> None:
    thread = {"configurable": {"thread_id": f"{client}-{time.time_ns()}"}}
    asked = compiled.invoke({"answer": ""}, thread, durability=durability)
    assert "__interrupt__" in asked
    ended = compiled.invoke(Command(resume="SQLite"), thread, durability=durability)
    assert ended["answer"] == "SQLite"


def cycles_per_second(compiled, durability: str, clients: int) -> float:
    done = [0] * clients
    start = time.perf_counter()

    def client(number: int) -> None:
        while time.perf_counter() - start < SECONDS:
            cycle(compiled, durability, number)
            done[number] += 1

    # The first of them is this thread.
    threads = [Thread(target=client, args=(number,)) for number in range(1, clients)]
    for thread in threads:
        thread.start()
    client(0)
    for thread in threads:
        thread.join()
    return sum(done) / (time.perf_counter() - start)


def about(saver: SqliteSaver) -> str:
    pragmas = ((name, saver.conn.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("journal_mode", "synchronous"))
    packages = ", ".join(f"{name} {version(name)}" for name in ("langgraph", "langgraph-checkpoint-sqlite"))
    settings = ", ".join(f"{name}={value}" for name, value in pragmas)
    return f"{packages}, SQLite {sqlite3.sqlite_version}; SqliteSaver with its defaults: {settings}"


with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    compiled = graph(saver)
    cycle(compiled, "async", 0)
    runs = [
        {
            "clients": clients,
            "durability": durability,
            "cycles_per_second": cycles_per_second(compiled, durability, clients),
        }
        for durability in DURABILITIES
        for clients in CLIENTS
    ]
    print(json.dumps({"about": about(saver), "runs": runs}))
