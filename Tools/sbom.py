"""Writes the bill of materials of a release as SPDX 2.3 JSON: sbom.py VERSION DATE COMMIT < dependencies.json

The input is that of 'swift package show-dependencies --format json'. Libraries that the programs open at run time are listed
as optional; their versions are those of the system. The output has no order or time of its own, so it is reproducible.
"""

import datetime
import json
import re
import sys

LINKED = {"SQLite": "blessing", "OpenSSL's libcrypto": "Apache-2.0",
          "the Swift runtime, libdispatch and FoundationEssentials": "Apache-2.0",
          "GCC's libstdc++ and libgcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
          "toml++, part of TOMLKit": "MIT", "BoringSSL, part of swift-nio-ssl": "Apache-2.0"}
LICENSES = {"TOMLKit": "MIT", "tomlkit": "MIT"}


def packages(node, found):
    """Collects all dependencies of a node, each once."""
    for child in node.get("dependencies", []):
        key = child["identity"]
        if key not in found:
            found[key] = child
            packages(child, found)
    return found


def run_time_libraries():
    """The libraries and Debian packages in the program's own table."""
    source = open("Sources/CLibraries/CLibraries.c", encoding="utf-8").read()
    return re.findall(r'\{\{"([^"]+)", "([^"]+)", "([^"]+)"\}', source)


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name)


def main():
    version, date, commit = sys.argv[1:4]
    moment = datetime.datetime.fromisoformat(date).astimezone(datetime.timezone.utc)
    root = {
        "SPDXID": "SPDXRef-helix-suite", "name": "helix-suite", "versionInfo": version, "downloadLocation": "NOASSERTION",
        "licenseDeclared": "MIT", "licenseConcluded": "MIT", "copyrightText": "NOASSERTION", "filesAnalyzed": False,
    }
    items, relations = [root], []
    for key, node in sorted(packages(json.load(sys.stdin), {}).items()):
        license = LICENSES.get(key, "Apache-2.0")
        items.append({
            "SPDXID": identifier(key), "name": node["name"], "versionInfo": node["version"],
            "downloadLocation": "git+" + node["url"] + "@" + node["version"], "licenseDeclared": license,
            "licenseConcluded": license, "copyrightText": "NOASSERTION", "filesAnalyzed": False,
        })
        relations.append((root["SPDXID"], "STATIC_LINK", identifier(key)))
    for name, license in sorted(LINKED.items()):
        items.append({
            "SPDXID": identifier(name), "name": name, "versionInfo": "NOASSERTION", "downloadLocation": "NOASSERTION",
            "licenseDeclared": license, "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION", "filesAnalyzed": False,
        })
        relations.append((root["SPDXID"], "STATIC_LINK", identifier(name)))
    for name, package, purpose in run_time_libraries():
        items.append({
            "SPDXID": identifier(name), "name": name, "versionInfo": "NOASSERTION", "downloadLocation": "NOASSERTION",
            "licenseDeclared": "NOASSERTION", "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
            "filesAnalyzed": False, "comment": f"Opened at run time for {purpose}; Debian package {package}.",
        })
        relations.append((identifier(name), "OPTIONAL_DEPENDENCY_OF", root["SPDXID"]))
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"helix-suite-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/helix-suite-{version}-{commit}",
        "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: Tools/sbom.py"]},
        "packages": items,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": root["SPDXID"]}
        ] + [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations
        ],
    }
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    print()


main()
