#!/usr/bin/env python3
"""Prepares the pages of the site: docs/, README.md as the first page, and each man page as a page of its own.

    site.py FOLDER
"""
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
pages = pathlib.Path(sys.argv[1])

STYLE = """/* Man pages, and stills of the terminal. */
.manual-text section.Sh { margin-bottom: 1.2em }
.manual-text h2 { font-size: 1.1em; margin: 1em 0 .4em }
.manual-text dt { margin-top: .4em } .manual-text dd { margin-left: 2em }
.manual-text pre { white-space: pre; overflow-x: auto; padding: .6em; background: var(--md-code-bg-color) }
.manual-text table.Nm td:first-child code { white-space: nowrap }
.head, .foot { display: none }
.md-typeset img { border-radius: .3rem }
"""


def commands():
    """The pages of the manual, each with its first sentence."""
    folder = pages / "commands"
    folder.mkdir()
    found = []
    for page in sorted((root / "man").glob("*.[1-9]")):
        done = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", str(page)], capture_output=True, text=True, check=True)
        # Headings of the manual have the same anchors on each page, and none is above the page's own.
        body = re.sub(r"<(/?)h1\b", r"<\1h2", done.stdout)
        body = re.sub(r"<a class=\"permalink\" href=\"[^\"]*\">(.*?)</a>", r"\1", body, flags=re.S)
        name, section = page.stem, page.suffix[1:]
        text = page.read_text()
        command = re.search(r'^\.Nm "(.*)"$', text, re.M)
        title = f"{name}({section})" if section != "1" else command.group(1).replace("\\-", "-") if command else name
        summary = re.search(r"^\.Nd (.*)$", text, re.M) or re.search(r"\\- (.*)$", text, re.M)
        (folder / f"{name}.{section}.md").write_text(f"# {title}\n\n{body}\n")
        found.append((section, title, f"{name}.{section}.md", summary.group(1).rstrip(".") if summary else ""))
    lines = ["# Commands", "", "The pages of the manual: `man helix-cal-week` at the prompt.", ""]
    for section, heading in (("7", "Topics"), ("1", "Commands"), ("5", "Files"), ("8", "Administration")):
        own = [entry for entry in found if entry[0] == section]
        if not own:
            continue
        lines += [f"## {heading}", "", "| page | |", "|---|---|"]
        lines += [f"| [{title}]({path}) | {summary.replace('|', ' ')} |" for _, title, path, summary in own]
        lines.append("")
    (folder / "index.md").write_text("\n".join(lines))


if pages.exists():
    shutil.rmtree(pages)
shutil.copytree(root / "docs", pages)
readme = (root / "README.md").read_text().replace("](docs/", "](").replace("](LICENSE)", "](license.md)")
(pages / "index.md").write_text(readme)
# Its links lead to files of the repository, which are not on the site.
contributing = re.sub(r"\[([^]]*)\]\(docs/([^)]*)\)", r"[\1](\2)", (root / "CONTRIBUTING.md").read_text())
(pages / "CONTRIBUTING.md").write_text(contributing)
(pages / "license.md").write_text("# License\n\n```text\n" + (root / "LICENSE").read_text() + "```\n")
(pages / "site.css").write_text(STYLE)
commands()
