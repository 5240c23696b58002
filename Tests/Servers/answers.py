"""Answers a program on a terminal: answers.py FILE PROGRAM ARGUMENTS...

FILE has pairs of lines: the expected output, and the text typed then. All output is printed; the status is the program's."""

import os
import pty
import select
import sys
import time

with open(sys.argv[1], encoding="utf-8") as file:
    lines = file.read().split("\n")
pairs = [(lines[place], lines[place + 1]) for place in range(0, len(lines) - 1, 2)]
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
said, mark, end = b"", 0, time.monotonic() + 60


def read(patience):
    global said
    if not select.select([terminal], [], [], patience)[0]:
        return False
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        return None
    said += piece
    return bool(piece) or None


for expected, typed in pairs:
    while said.find(expected.encode(), mark) < 0:
        if read(0.2) is None or time.monotonic() > end:
            print(said.decode(errors="replace") + f"\n(never said: {expected})")
            sys.exit(99)
    mark = said.find(expected.encode(), mark) + len(expected.encode())
    os.write(terminal, typed.encode() + b"\n")
while time.monotonic() < end and read(0.2) is not None:
    pass
print(said.decode(errors="replace"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
