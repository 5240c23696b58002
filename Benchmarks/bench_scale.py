"""Measures the same requests at a gateway whose database is small and at one whose database is large.

    bench_scale.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-scale.md

The small one has 1,000 users, 100,000 messages and 50,000 entities, the large one 100,000 users, 10 million messages and 5
million entities; each user has as many of their own. The rows are made by SQL; PostgreSQL does not wait for the disk while they
are. Its buffers are a quarter of the memory, as its manual advises.

Each request is measured twice: the first of a user since the database was started, whose rows no page in memory holds, and the
later ones of a user who is active.
"""

import argparse
import asyncio
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import load  # noqa: E402
from bench_cluster import Site  # noqa: E402

# Users n; conversations of four of them, with 400 messages each; 50 projects of each user.
ROWS = """
SET synchronous_commit = off; SET search_path = helix; SET session_replication_role = replica;
CREATE OR REPLACE FUNCTION pg_temp.made(kind text, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT substr(md5(kind || n), 1, 16) $$;
INSERT INTO "user" (id, name, password, created_at)
    SELECT pg_temp.made('user', n), 'user' || n, '', 1795000000 FROM generate_series(1, {users}) n;
INSERT INTO user_key (kind, key, "user") SELECT 'name', 'user' || n, pg_temp.made('user', n) FROM generate_series(1, {users}) n;
INSERT INTO conversation (id, kind, name, created_by, created_at, last, version, members_version)
    SELECT pg_temp.made('group', n), 'group', 'group ' || n, pg_temp.made('user', n * 4), 1795000000, 400, 400, 4
    FROM generate_series(1, {users} / 4) n;
INSERT INTO member (conversation, "user", user_name, role, first, origin, delivered, read)
    SELECT pg_temp.made('group', n), pg_temp.made('user', n * 4 - k), 'user' || (n * 4 - k), 'owner', 1, 1, 400, 400
    FROM generate_series(1, {users} / 4) n, generate_series(0, 3) k;
INSERT INTO user_conversation ("user", conversation, created_kind, created_at)
    SELECT pg_temp.made('user', n * 4 - k), pg_temp.made('group', n), 'group', 1795000000
    FROM generate_series(1, {users} / 4) n, generate_series(0, 3) k;
"""
MESSAGES = """
SET synchronous_commit = off; SET search_path = helix; SET session_replication_role = replica;
INSERT INTO message (conversation, seq, id, sender, role, content, sent_at, stored_at, version)
    SELECT substr(md5('group' || g), 1, 16), s,
        substr(md5('message' || g || ' ' || s), 1, 16),
        substr(md5('user' || (g * 4 - s % 4)), 1, 16), 'user',
        'message ' || s || ' of a group about the valve that leaks again', 1795000000 + s, 1795000000 + s, s
    FROM generate_series({first}, {last}) g, generate_series(1, 400) s;
INSERT INTO message_place (id, conversation, seq)
    SELECT substr(md5('message' || g || ' ' || s), 1, 16),
        substr(md5('group' || g), 1, 16), s
    FROM generate_series({first}, {last}) g, generate_series(1, 400) s;
INSERT INTO user_head ("user", seq, mark) SELECT substr(md5('user' || n), 1, 16), 50,
    log_mark(50, substr(md5('project' || n || ' ' || 50), 1, 16), 'v')
    FROM generate_series({first} * 4 - 3, {last} * 4) n;
INSERT INTO user_log ("user", seq, kind, id, version, fields, changed_at, device)
    SELECT substr(md5('user' || n), 1, 16), s, 'project',
        substr(md5('project' || n || ' ' || s), 1, 16), 'v',
        jsonb_build_object('name', 'project ' || s, 'status', 'active', 'created_at', 1795000000), 1795000000, 'device'
    FROM generate_series({first} * 4 - 3, {last} * 4) n, generate_series(1, 50) s;
"""


def fill(site, name, users):
    """Makes the rows of a database."""
    site.sql(ROWS.format(users=users), name)
    groups, step = users // 4, 1_000
    for first in range(1, groups + 1, step):
        site.sql(MESSAGES.format(first=first, last=min(first + step - 1, groups)), name)
    site.sql("VACUUM ANALYZE", name)
    size = site.sql(f"SELECT pg_database_size('{name}')")
    counts = site.sql("SELECT (SELECT count(*) FROM helix.\"user\"), (SELECT count(*) FROM helix.message), "
                      "(SELECT count(*) FROM helix.user_log)", name)
    print(name, counts, f"{int(size) / 1e9:.1f} GB", flush=True)
    return int(size)


async def measure(url, users, rounds, first=1):
    """The medians of each request in ms, the first of a user and later ones, over users that are spread over the database."""
    times = {}, {}

    async def timed(what, call):
        start = time.perf_counter()
        answer = await call
        times[min(turn, 1)].setdefault(what, []).append((time.perf_counter() - start) * 1000)
        return answer

    for round in range(rounds):
        n = first + round * (users // rounds)
        gateway = await load.gateway_client.Gateway(url).open()
        await gateway.connect({"password": f"user{n}:admin's password"})
        for turn in range(4):
            page = await timed("first page of chats", gateway.call("chat.sync", {}))
            place = page["conversations"][0]["id"]
            await timed("send a message", gateway.call(
                "chat.send", {"sessionKey": place, "message": "hello", "idempotencyKey": load.identity()}))
            await timed("changes since a cursor", gateway.call("chat.sync", {"cursor": page["cursor"]}))
            await timed("50 earlier messages", gateway.call("chat.history", {"sessionKey": place, "limit": 50, "before": 200}))
            await timed("list of conversations", gateway.call("sessions.list", {}))
            await timed("first page of entities", gateway.call("sync.pull", {}))
            await timed("push 10 entities", gateway.call("sync.push", {"changes": [{
                "kind": "project", "id": load.identity(),
                "fields": {"name": load.identity(), "status": "active", "blocks": "[]", "created_at": 1795255200},
            } for _ in range(10)]}))
        await gateway.close()
    return [{what: statistics.median(values) for what, values in part.items()} for part in times]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--helix", required=True)
    arguments.add_argument("--work", required=True)
    arguments.add_argument("--out", required=True)
    arguments.add_argument("--users", type=int, nargs=2, default=[1_000, 100_000])
    given = arguments.parse_args()
    quarter = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4
    site = Site(os.path.abspath(given.helix), os.path.abspath(given.work) + "/scale", f"{quarter >> 20}MB")
    found, sizes, rounds = [], [], 40
    try:
        for users in given.users:
            name = f"users{users}"
            database = site.database(name, ["admin"])
            hashed = site.sql("SELECT password FROM helix.\"user\"", name)
            sizes.append(fill(site, name, users))
            # They sign in with the password of the one user that was made at the prompt.
            site.sql(f"UPDATE helix.\"user\" SET password = '{hashed}'", name)
            url, process = site.gateway(name, database)
            asyncio.run(measure(url, users, 5, first=2))
            found.append(asyncio.run(measure(url, users, rounds)))
            site.stop(process)
    finally:
        site.end()
    rows = []
    for what in found[0][0]:
        cells = []
        for turn in (1, 0):
            small, large = found[0][turn][what], found[1][turn][what]
            ratio = large / small
            shown = f"**{ratio:.2f}**" if ratio > 1.3 else f"{ratio:.2f}"
            cells.append(f"{small:.2f} ms | {large:.2f} ms | {shown}")
        rows.append(f"| {what} | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    few, many = (f"{users:,} users" for users in given.users)
    with open(given.out, "w") as file:
        file.write(
            "# Scale benchmarks\n\nThe same requests, one after the other, at a gateway with PostgreSQL, whose database has "
            f"{few} ({sizes[0] / 1e9:.2f} GB), and one with {many} ({sizes[1] / 1e9:.2f} GB): 100 messages and 50 entities for "
            f"each user. PostgreSQL has {quarter / 1e9:.1f} GB of buffers. Medians; at most 1.3 times as long. A user's first "
            "requests read rows that are not in memory yet, and of a large database that is so for nearly all users. **Bold** is "
            f"over the limit.\n\n| request | {few} | {many} | ratio | first: {few} | {many} | ratio |\n"
            "|---|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
