"""Uses a program in a window of tmux, a real terminal emulator: window.py STEPS WIDTH HEIGHT PROGRAM ARGUMENTS...

STEPS is a JSON array: {"press": [KEY, ...]} presses keys by tmux's names, {"type": TEXT} types text, {"see": TEXT} waits for a text on
the screen, {"unseen": TEXT} waits until it is gone, {"keep": NAME} keeps the screen, {"resize": [WIDTH, HEIGHT]}, {"signal": NAME} sends
a signal to the program, and {"run": [PROGRAM, ...], "env": {...}} runs another program meanwhile. The result is JSON: the kept screens,
the screen and the modes of the terminal after the program has ended, and its status."""

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time

steps = json.load(open(sys.argv[1], encoding="utf-8"))
width, height, command = sys.argv[2], sys.argv[3], sys.argv[4:]
folder = tempfile.mkdtemp(prefix="helix-window-")
socket = os.path.join(folder, "tmux")
PATIENCE = 60


def unblock():
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def tmux(*words, check=True):
    run = subprocess.run(
        ["tmux", "-S", socket, "-f", "/dev/null", *words], capture_output=True, text=True, preexec_fn=unblock, check=False)
    if check and run.returncode != 0:
        raise SystemExit(f"tmux {words[0]}: {run.stderr}")
    return run.stdout


def screen():
    return tmux("capture-pane", "-p", "-t", "w")


def fail(why):
    print(screen() + f"\n({why})")
    tmux("kill-server", check=False)
    sys.exit(99)


def wait(condition, why):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            fail(why)
        time.sleep(0.03)


def program():
    """The number of the program's process, below the shell of the window."""
    shell = tmux("display-message", "-p", "-t", "w", "#{pane_pid}").strip()
    found = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=False).stdout.split()
    return int(found[0]) if found else None


line = (
    "echo BEFORE; stty -g > modes-before; "
    + " ".join(map(shlex.quote, command))
    + "; echo ENDED=$?; stty -g > modes-after; echo $? > over; exec cat"
)
os.environ.update({"TERM": "xterm-256color"})
tmux("new-session", "-d", "-s", "w", "-c", folder, "-x", width, "-y", height, "env", "TERM=tmux-256color", "sh", "-c", line)
kept = {}
for step in steps:
    if "press" in step:
        for key in step["press"]:
            tmux("send-keys", "-t", "w", key)
    elif "type" in step:
        tmux("send-keys", "-t", "w", "-l", step["type"])
    elif "see" in step:
        wait(lambda: step["see"] in screen(), f"never seen: {step['see']}")
    elif "unseen" in step:
        wait(lambda: step["unseen"] not in screen(), f"still seen: {step['unseen']}")
    elif "keep" in step:
        kept[step["keep"]] = screen()
    elif "resize" in step:
        tmux("resize-window", "-t", "w", "-x", str(step["resize"][0]), "-y", str(step["resize"][1]))
    elif "signal" in step:
        wait(lambda: program() is not None, "the program does not run")
        os.kill(program(), getattr(signal, step["signal"]))
    elif "pause" in step:
        time.sleep(step["pause"])
    else:
        subprocess.run(
            step["run"], env=step["env"], stdout=subprocess.DEVNULL, check=True, preexec_fn=unblock, stdin=subprocess.DEVNULL)
wait(lambda: os.path.exists(os.path.join(folder, "over")), "the program did not end")
wait(lambda: "ENDED=" in screen(), "nothing was seen after the end")
last = screen()
modes = [open(os.path.join(folder, "modes-" + name)).read() for name in ("before", "after")]
status = int(last.split("ENDED=")[1].split()[0])
tmux("kill-server", check=False)
print(json.dumps({"kept": kept, "last": last, "isRestored": modes[0] == modes[1], "status": status}))
