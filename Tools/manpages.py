#!/usr/bin/env python3
"""Writes a man page for every command, from the command tree that the program prints: manpages.py HELIX DIR"""

import json
import re
import subprocess
import sys
from pathlib import Path

EXIT = [
    (0, "done, also when there is nothing to show"), (1, "unexpected error (a bug)"), (64, "invalid command or option"), (65, "invalid input data"),
    (66, "no such file or item, or an ambiguous id"), (69, "server unreachable"), (73, "cannot create a file"),
    (74, "input or output error"), (75, "store busy, try again"), (76, "the server violated the protocol"),
    (77, "not allowed or not signed in"), (78, "invalid setting, or a missing library"), (80, "rejected because of a conflict"),
    (81, "unresolved sync conflict"),
]
ENVIRONMENT = [
    ("HELIX_HOME", "Folder for the store and the settings, instead of the XDG folders."),
    ("HELIX_AS", "The profile of an agent, as with --as NAME before the command; processes below cannot leave it."),
    ("HELIX_RUN", "The name of an agent's run, by which its changes are listed and undone."),
    ("HELIX_NOW", "The time that counts as now, such as 2026-11-21T10:00:00."),
    ("TZ", "The time zone, such as Europe/Rome."),
    ("HELIX_SECTION_NAME", "Any setting for one run: HELIX_CALENDAR_HOURS=7-12 is calendar.hours."),
    ("HELIX_TRACE", "Traffic to log, on standard error or to HELIX_TRACE_FILE, without passwords: imap, smtp, dav, jmap, http, gateway, sql or all."),
    ("LC_ALL, LC_TIME, LANG", "The first day of the week, the 12 or 24 hour clock, and the language of dates, unless a setting overrides them."),
    ("NO_COLOR", "Disables colours if set; CLICOLOR_FORCE and FORCE_COLOR enable them in pipes, CLICOLOR=0 disables them."),
    ("VISUAL, EDITOR", "The editor for drafts and settings."),
    ("XDG_DATA_HOME, XDG_CONFIG_HOME", "The folders of the store and of the settings."),
    ("PAGER", "The pager for long output on a terminal; HELIX_PAGER overrides it."),
    ("COLUMNS", "The width of the output."),
]


def escape(text):
    text = text.replace("\\", "\\e")
    # A line that begins with a dot or a quote is a macro.
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def word(text):
    """A word as an argument of a macro."""
    text = escape(text).replace("-", "\\-")
    if re.fullmatch(r"[A-Z][a-z]|[|()\[\].,:;?!]", text) or len(text) in (2, 3) and text.isalpha():
        text = "\\&" + text
    return f'"{text}"' if " " in text or '"' in text else text


def flag(argument):
    names = argument.get("names") or []
    names = sorted(names, key=lambda n: n["kind"] != "short")
    return [n["name"] for n in names]


def signature(argument):
    if argument["kind"] == "positional":
        name = f'.Ar {word(argument.get("valueName", "value"))}'
        if argument.get("isRepeating"):
            name += " ..."
        return name if not argument.get("isOptional") else ".Op " + name[1:]
    names = flag(argument)
    name = max(names, key=len)
    text = f"Fl {'-' if len(name) > 1 else ''}{word(name)}"
    if argument["kind"] == "option":
        text += f" Ar {word(argument.get('valueName', 'value'))}"
    if argument.get("isRepeating"):
        text += " ..."
    return (".Op " if argument.get("isOptional", True) else ".") + text


def item(argument):
    if argument["kind"] == "positional":
        return f'.It Ar {word(argument.get("valueName", "value"))}'
    parts = []
    for name in flag(argument):
        part = f"Fl {'-' if len(name) > 1 else ''}{word(name)}"
        if argument["kind"] == "option":
            part += f" Ar {word(argument.get('valueName', 'value'))}"
        parts.append(part)
    return ".It " + " , ".join(parts)


def paragraphs(discussion):
    """Text lines and examples of a discussion: indented lines are examples."""
    # mdoc requires each sentence on its own line.
    text, examples = [], []
    for line in discussion.strip("\n").split("\n"):
        if line.startswith("  "):
            examples.append(line.strip())
        elif line.strip():
            text.append(line.strip())
        elif text:
            text.append("")
    joined = " ".join(line or "\0" for line in text).strip(" \0")
    lines = []
    for number, part in enumerate(joined.split("\0")):
        if number:
            lines.append("")
        lines += [sentence for sentence in sentences(part) if sentence]
    # A lead whose lines are examples is shown with the examples.
    kept = [line for line in lines if not (examples and line.endswith(":"))]
    kept = [line for place, line in enumerate(kept) if line or (place + 1 < len(kept) and kept[place + 1])]
    return kept[:-1] if kept and not kept[-1] else kept, examples


def sentences(text):
    """The sentences of a text, and its long clauses, one per line."""
    return re.sub(r"(?<=[.!?;:])\s+(?=\S)", "\n", text.strip()).split("\n")


def page(command, path, below):
    name = "-".join(path)
    abstract = command.get("abstract", "").rstrip(".")
    out = [".\\\" Generated by make docs; do not edit.", ".Dd November 21, 2026", f".Dt {name.upper()} 1", ".Os helix", ".Sh NAME"]
    out += [f".Nm {word(name)}", f".Nd {escape(abstract[:1].lower() + abstract[1:])}", ".Sh SYNOPSIS", f".Nm {word(' '.join(path))}"]
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    positionals = [a for a in arguments if a["kind"] == "positional"]
    options = [a for a in arguments if a["kind"] != "positional"]
    if below:
        out += [".Ar command", ".Op Ar argument ..."]
    out += [signature(a) for a in options if flag(a) not in (["help"], ["h", "help"], ["version"])] + [signature(a) for a in positionals]
    out += [".Sh DESCRIPTION", escape(abstract + ".")]
    text, examples = paragraphs(command.get("discussion", ""))
    for line in text:
        if line or out[-1] != ".Pp":
            out.append(escape(line) if line else ".Pp")
    if below:
        out += [".Pp", "The commands are:", ".Bl -tag -width Ds"]
        for child in below:
            out += [f".It Xr {word(name + '-' + child['commandName'])} 1", escape(child.get("abstract", ""))]
        out.append(".El")
    if positionals or options:
        out += [".Bl -tag -width Ds"]
        for argument in positionals + options:
            out.append(item(argument))
            out += [escape(line) for line in sentences(argument.get("abstract") or "Used by the program itself.")]
            values = argument.get("allValues") or []
            if values and argument["kind"] == "option" and values[0] not in (argument.get("abstract") or ""):
                out.append("One of " + ", ".join(values) + ".")
            default = argument.get("defaultValue")
            if default:
                out.append(f"The default is {escape(default)}.")
        out.append(".El")
    if len(path) == 1:
        out += [".Sh ENVIRONMENT", ".Bl -tag -width HELIX_HOME"]
        for variable, meaning in ENVIRONMENT:
            out += [f".It Ev {variable}", meaning]
        out.append(".El")
        out += [".Sh FILES", ".Bl -tag -width Ds", ".It Pa ~/.local/share/helix-suite/helix.db", "The store.",
                ".It Pa ~/.config/helix-suite/config.toml", "The settings.", ".El"]
    out += [".Sh EXIT STATUS", ".Bl -tag -width 100 -compact"]
    for number, meaning in EXIT:
        out += [f".It {number}", meaning]
    out.append(".El")
    if examples:
        out += [".Sh EXAMPLES", ".Bd -literal -offset indent"] + [escape(line) for line in examples] + [".Ed"]
    out.append(".Sh SEE ALSO")
    parents = ["-".join(path[:n]) for n in range(1, len(path))]
    others = parents or ["helix-cal"]
    if below and len(path) > 1:
        others = sorted(others + [name + "-" + child["commandName"] for child in below])
    out += [f".Xr {word(other)} 1" + (" ," if index + 1 < len(others) else "") for index, other in enumerate(others)]
    return "\n".join(out) + "\n"


def walk(command, path):
    name = command["commandName"]
    path = path + [name]
    below = [c for c in command.get("subcommands", []) if c["commandName"] != "help" and c.get("shouldDisplay", True)]
    yield "-".join(path), page(command, path, below)
    for child in below:
        yield from walk(child, path)


def main():
    helix, folder = sys.argv[1], Path(sys.argv[2])
    dump = subprocess.run([helix, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    folder.mkdir(exist_ok=True)
    pages = dict(walk(json.loads(dump)["command"], []))
    for old in folder.glob("*.1"):
        if old.stem not in pages:
            old.unlink()
    for name, text in pages.items():
        (folder / f"{name}.1").write_text(text)


if __name__ == "__main__":
    main()
