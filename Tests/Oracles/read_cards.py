"""Reads vCards 3 with vobject, and prints what each says as a line of JSON."""
import json
import sys

import vobject


def texts(card, name):
    return [line.value for line in card.contents.get(name, [])]


for card in vobject.readComponents(sys.stdin.read()):
    names = card.contents["n"][0].value

    def part(value):
        return " ".join(value) if isinstance(value, list) else value

    print(
        json.dumps(
            {
                "name": card.fn.value,
                "family": part(names.family),
                "given": part(names.given),
                "emails": texts(card, "email"),
                "phones": texts(card, "tel"),
                "organization": ", ".join(part for value in texts(card, "org") for part in value if part),
                "notes": "\n\n".join(texts(card, "note")),
                "categories": [word for value in texts(card, "categories") for word in value],
                "places": [
                    [part(getattr(value, name)) for name in ("street", "city", "region", "code", "country")]
                    for value in texts(card, "adr")
                ],
                "labels": [
                    sorted(kind.lower() for kind in line.params.get("TYPE", []))
                    for line in card.contents.get("email", [])
                ],
            }
        )
    )
