# What Python's email package and notmuch read in the messages of a Maildir: one JSON object for each on a line.
# Usage: read_mail.py MAILDIR
import email, email.policy, hashlib, json, os, pathlib, subprocess, sys

maildir = sys.argv[1]
config = os.path.join(maildir, "..", "notmuch-config")
pathlib.Path(config).write_text(f"[database]\npath={maildir}\n[user]\nprimary_email=x@example.org\n[new]\ntags=\n")
environment = dict(os.environ, NOTMUCH_CONFIG=config)
subprocess.run(["notmuch", "new", "--quiet"], env=environment, check=True, capture_output=True)


def shown(identity):
    output = subprocess.run(
        ["notmuch", "show", "--format=json", "--include-html", "--entire-thread=false", "id:" + identity],
        env=environment, check=True, capture_output=True).stdout

    def walk(value):
        if isinstance(value, dict):
            return value if value.get("id") == identity else None
        for inner in value:
            if inner and (found := walk(inner)):
                return found

    message = walk(json.loads(output))
    texts = {}

    def parts(list_of_parts):
        for part in list_of_parts:
            if "body" in part:
                continue
            if isinstance(part.get("content"), list):
                parts(part["content"])
            elif part["content-type"] in ("text/plain", "text/html") and "filename" not in part:
                texts.setdefault(part["content-type"], part.get("content"))

    parts(message["body"])
    head = message["headers"]
    return {"subject": head.get("Subject", ""), "from": head.get("From", ""), "to": head.get("To", ""),
            "text": texts.get("text/plain"), "html": texts.get("text/html")}


for path in sorted(pathlib.Path(maildir).glob("[cn]*/*")):
    raw = path.read_bytes()
    message = email.message_from_bytes(raw, policy=email.policy.default)
    defects = [str(defect) for part in message.walk() for defect in part.defects]
    defects += [str(defect) for value in message.values() for defect in getattr(value, "defects", [])]
    plain, html = (message.get_body(preferencelist=(kind,)) for kind in ("plain", "html"))
    identity = message["Message-ID"].strip()[1:-1]
    print(json.dumps({
        "id": identity, "defects": defects,
        "longest": max(len(line) for line in raw.split(b"\n")),
        "seven_bit": all(byte < 128 for byte in raw),
        "headers": [name for name in message.keys()],
        "date": message["Date"].datetime.isoformat(),
        "subject": message["Subject"],
        "from": [[a.display_name, a.addr_spec] for a in message["From"].addresses],
        "to": [[a.display_name, a.addr_spec] for a in message["To"].addresses],
        "cc": [[a.display_name, a.addr_spec] for a in message["Cc"].addresses] if message["Cc"] else [],
        "in_reply_to": message["In-Reply-To"], "references": message["References"],
        "type": message.get_content_type(),
        "text": plain.get_content() if plain else None, "html": html.get_content() if html else None,
        "attachments": [
            [part.get_filename(), part.get_content_type(), hashlib.sha256(part.get_payload(decode=True) or b"").hexdigest()
             if part.get_content_type() != "message/rfc822" else part.get_content()["Subject"]]
            for part in message.iter_attachments()],
        "notmuch": shown(identity),
    }, ensure_ascii=False))
