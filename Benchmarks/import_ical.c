/* Does with libical and SQLite what `helix cal import` does into an empty store: the
 * yardstick for its speed.
 *
 *   import_ical FILE.ics OUT.db
 *
 * Components are cut out of the file and parsed one UID at a time, because libical needs
 * about ten bytes of memory for each byte it has parsed. Each UID becomes an event with its
 * text, its components, their occurrences up to a horizon, a line in the journal, and an
 * entry in the full-text index, all in one transaction.
 *
 * Expansion is bounded: by the horizon, by MOST_OCCURRENCES for an event, and by refusing
 * the kinds of rule on which libical 3.0's iterator does not return.
 */

#include <libical/ical.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>

enum { MOST_OCCURRENCES = 10000 };
static const int64_t HORIZON = 1858377600; /* 2028-11-21T00:00:00Z */

static struct { long events, components, occurrences, refused, unreadable; } counts;

static void die(const char *what, const char *why) {
    fprintf(stderr, "import_ical: %s: %s\n", what, why);
    exit(1);
}

static void *checked(void *memory) {
    if (!memory) die("memory", "none left");
    return memory;
}

/* A string that grows, empty but never NULL once something was added. */
typedef struct { char *bytes; size_t length, room; } Text;

static void append(Text *text, const char *bytes, size_t length) {
    if (text->length + length + 1 > text->room) {
        text->room = (text->length + length + 1) * 2;
        text->bytes = checked(realloc(text->bytes, text->room));
    }
    if (length) memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

static void append_string(Text *text, const char *string) { append(text, string, strlen(string)); }

/* ---- The file: where its components lie, and which belong together ---- */

typedef struct Piece {
    const char *start;
    size_t length;
    char *uid;
    struct Piece *next; /* the next component of the same UID */
    bool follows;       /* whether another one leads to this one */
} Piece;

typedef struct { Piece *items; size_t count, room; } Pieces;

static Text read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die(path, "cannot be read");
    Text text = {0};
    fseek(file, 0, SEEK_END);
    text.length = (size_t)ftell(file);
    rewind(file);
    text.bytes = checked(malloc(text.length + 1));
    if (fread(text.bytes, 1, text.length, file) != text.length) die(path, "cannot be read");
    text.bytes[text.length] = 0;
    fclose(file);
    return text;
}

static bool begins(const char *line, const char *word) { return !strncasecmp(line, word, strlen(word)); }

static const char *line_after(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* The unfolded value of the content line. */
static char *value_of(const char *line) {
    Text value = {0};
    const char *from = strchr(line, ':') + 1;
    for (;;) {
        append(&value, from, strcspn(from, "\r\n"));
        from = line_after(from);
        if (*from != ' ' && *from != '\t') return value.bytes;
        from++;
    }
}

static void scan(const char *text, Pieces *events, icalcomponent *zones) {
    const char *start = NULL, *end = NULL;
    char *uid = NULL;
    int depth = 0;
    bool event = false;
    for (const char *line = text; *line; line = end) {
        end = line_after(line);
        if (begins(line, "BEGIN:")) {
            bool zone = begins(line, "BEGIN:VTIMEZONE");
            if (depth) {
                depth++;
            } else if (zone || begins(line, "BEGIN:VEVENT")) {
                event = !zone;
                start = line;
                depth = 1;
            }
        } else if (depth == 1 && !uid && (begins(line, "UID:") || begins(line, "UID;"))) {
            uid = value_of(line);
        } else if (depth && begins(line, "END:") && --depth == 0) {
            size_t length = (size_t)(end - start);
            if (event) {
                if (events->count == events->room) {
                    events->room = events->room * 2 + 256;
                    events->items = checked(realloc(events->items, events->room * sizeof(Piece)));
                }
                events->items[events->count++] = (Piece){start, length, uid ? uid : strdup(""), NULL, false};
            } else {
                char *copy = checked(strndup(start, length));
                icalcomponent *zone = icalparser_parse_string(copy);
                if (zone) icalcomponent_add_component(zones, zone);
                free(copy);
                free(uid);
            }
            uid = NULL;
        }
    }
    free(uid);
}

static int by_uid(const void *a, const void *b) {
    const Piece *one = *(Piece *const *)a, *other = *(Piece *const *)b;
    int order = strcmp(one->uid, other->uid);
    return order ? order : (one > other) - (one < other);
}

static void link_by_uid(Pieces *pieces) {
    Piece **sorted = checked(malloc((pieces->count + 1) * sizeof *sorted));
    for (size_t i = 0; i < pieces->count; i++) sorted[i] = &pieces->items[i];
    qsort(sorted, pieces->count, sizeof *sorted, by_uid);
    for (size_t i = 1; i < pieces->count; i++) {
        if (!*sorted[i]->uid || strcmp(sorted[i - 1]->uid, sorted[i]->uid)) continue;
        sorted[i - 1]->next = sorted[i];
        sorted[i]->follows = true;
    }
    free(sorted);
}

/* ---- The store ---- */

static const char *const SCHEMA =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "BEGIN;"
    "CREATE TABLE entity(id TEXT PRIMARY KEY, kind TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE event(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, calendar INTEGER NOT NULL,"
    "  uid TEXT NOT NULL, text TEXT NOT NULL, sequence INTEGER NOT NULL, modified INTEGER,"
    "  UNIQUE(calendar, uid));"
    "CREATE TABLE component(n INTEGER PRIMARY KEY, event INTEGER NOT NULL, recurrence_id TEXT,"
    "  title TEXT, location TEXT, description TEXT, people TEXT, categories TEXT, status TEXT,"
    "  opaque INTEGER NOT NULL, zone TEXT);"
    "CREATE INDEX component_event ON component(event);"
    /* span: the bucket of the length, so that a view scans one range for each; form: Form. */
    "CREATE TABLE occurrence(span INTEGER NOT NULL, start INTEGER NOT NULL, \"end\" INTEGER NOT NULL,"
    "  component INTEGER NOT NULL, form INTEGER NOT NULL,"
    "  PRIMARY KEY(span, start, component)) WITHOUT ROWID;"
    "CREATE INDEX occurrence_component ON occurrence(component);"
    "CREATE TABLE change_set(id INTEGER PRIMARY KEY, made_at INTEGER NOT NULL, command TEXT NOT NULL);"
    "CREATE TABLE change(change_set INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, op TEXT NOT NULL);"
    "CREATE VIRTUAL TABLE component_text USING fts5(title, location, description, people, categories,"
    "  content='component', content_rowid='n', tokenize='unicode61 remove_diacritics 2');"
    "INSERT INTO change_set VALUES(1, strftime('%s'), 'import');";

static sqlite3 *db;
static sqlite3_stmt *add_entity, *add_event, *add_component, *add_occurrence, *add_change, *add_text;

static void run(const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL)) die("SQLite", sqlite3_errmsg(db));
}

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) die("SQLite", sqlite3_errmsg(db));
    return statement;
}

static void open_store(const char *path) {
    if (sqlite3_open(path, &db)) die(path, sqlite3_errmsg(db));
    run(SCHEMA);
    add_entity = prepared("INSERT INTO entity VALUES(?, 'event')");
    add_event = prepared("INSERT INTO event(id, calendar, uid, text, sequence, modified) VALUES(?, 1, ?, ?, ?, ?)");
    add_component = prepared("INSERT INTO component(event, recurrence_id, title, location, description, people,"
                             " categories, status, opaque, zone) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    add_occurrence = prepared("INSERT OR IGNORE INTO occurrence VALUES(?, ?, ?, ?, ?)");
    add_change = prepared("INSERT INTO change VALUES(1, 'event', ?, 'create')");
    add_text = prepared("INSERT INTO component_text(rowid, title, location, description, people, categories)"
                        " VALUES(?, ?, ?, ?, ?, ?)");
}

static void close_store(void) {
    sqlite3_stmt *all[] = {add_entity, add_event, add_component, add_occurrence, add_change, add_text};
    run("COMMIT");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sqlite3_finalize(all[i]);
    if (sqlite3_close(db)) die("SQLite", "cannot be closed");
}

static void step(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) die("SQLite", sqlite3_errmsg(db));
    sqlite3_reset(statement);
}

static void bind(sqlite3_stmt *statement, int column, const char *text) {
    sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

/* Sixteen characters of Crockford's base32: 80 random bits. */
static void make_id(char id[17]) {
    unsigned char random[10];
    if (getrandom(random, sizeof random, 0) != sizeof random) die("getrandom", "failed");
    for (int i = 0; i < 16; i++) {
        int bit = i * 5, pair = random[bit / 8] << 8 | (bit / 8 < 9 ? random[bit / 8 + 1] : 0);
        id[i] = "0123456789abcdefghjkmnpqrstvwxyz"[pair >> (11 - bit % 8) & 31];
    }
    id[16] = 0;
}

/* ---- Times ---- */

/* Floating times and dates are kept as if they were UTC, and marked. */
typedef enum { INSTANT, FLOATING, DATE } Form;

static icalcomponent *zones;

static const icaltimezone *zone_of(icalproperty *property, icaltimetype time) {
    if (icaltime_is_utc(time)) return icaltimezone_get_utc_timezone();
    const char *name = icalproperty_get_parameter_as_string(property, "TZID");
    if (!name) return NULL;
    icaltimezone *zone = icalcomponent_get_timezone(zones, name);
    return zone ? zone : icaltimezone_get_builtin_timezone(name);
}

static int64_t seconds_of(icaltimetype time) { return icaltime_as_timet_with_zone(time, time.zone); }

static icaltimetype in_zone(icalproperty *property, icaltimetype time) {
    time.zone = zone_of(property, time);
    return time;
}

static Form form_of(icaltimetype time) {
    if (time.is_date) return DATE;
    return time.zone ? INSTANT : FLOATING;
}

/* ---- One component ---- */

typedef struct {
    icalcomponent *ical;
    bool override;
    icaltimetype start, recurrence_id;
    int64_t length;
    int64_t row;
} Event;

static icalproperty *first(icalcomponent *component, icalproperty_kind kind) {
    return icalcomponent_get_first_property(component, kind);
}

#define EACH(property, component, kind)                                                 \
    icalproperty *property = icalcomponent_get_first_property(component, kind); property; \
    property = icalcomponent_get_next_property(component, kind)

static bool read_event(Piece *piece, Event *event) {
    char *text = checked(strndup(piece->start, piece->length));
    *event = (Event){.ical = icalparser_parse_string(text)};
    free(text);
    if (!event->ical) return false;
    icalproperty *start = first(event->ical, ICAL_DTSTART_PROPERTY);
    if (!start || icaltime_is_null_time(icalproperty_get_dtstart(start))) {
        icalcomponent_free(event->ical);
        return false;
    }
    event->start = in_zone(start, icalproperty_get_dtstart(start));

    icalproperty *end = first(event->ical, ICAL_DTEND_PROPERTY);
    icalproperty *duration = first(event->ical, ICAL_DURATION_PROPERTY);
    if (end)
        event->length = seconds_of(in_zone(end, icalproperty_get_dtend(end))) - seconds_of(event->start);
    else if (duration)
        event->length = icaldurationtype_as_int(icalproperty_get_duration(duration));
    else
        event->length = event->start.is_date ? 86400 : 0;
    if (event->length < 0) event->length = 0;

    icalproperty *id = first(event->ical, ICAL_RECURRENCEID_PROPERTY);
    if (id) {
        event->override = true;
        event->recurrence_id = in_zone(id, icalproperty_get_recurrenceid(id));
    }
    return true;
}

static char *people_of(icalcomponent *event) {
    Text people = {0};
    icalproperty_kind kinds[] = {ICAL_ORGANIZER_PROPERTY, ICAL_ATTENDEE_PROPERTY};
    for (int i = 0; i < 2; i++) {
        for (EACH(person, event, kinds[i])) {
            const char *name = icalproperty_get_parameter_as_string(person, "CN");
            const char *address = icalproperty_get_value_as_string(person);
            if (people.length) append_string(&people, "\n");
            if (name) append_string(&people, name), append_string(&people, " ");
            if (address) append_string(&people, begins(address, "mailto:") ? address + 7 : address);
        }
    }
    return people.bytes;
}

static char *categories_of(icalcomponent *event) {
    Text categories = {0};
    for (EACH(category, event, ICAL_CATEGORIES_PROPERTY)) {
        const char *value = icalproperty_get_categories(category);
        if (categories.length) append_string(&categories, ",");
        if (value) append_string(&categories, value);
    }
    return categories.bytes;
}

static void store_component(Event *event, int64_t owner) {
    icalproperty *status = first(event->ical, ICAL_STATUS_PROPERTY);
    icalproperty *transparency = first(event->ical, ICAL_TRANSP_PROPERTY);
    icalproperty_transp transp = transparency ? icalproperty_get_transp(transparency) : ICAL_TRANSP_OPAQUE;
    char *people = people_of(event->ical), *categories = categories_of(event->ical);
    const char *searched[] = {icalcomponent_get_summary(event->ical), icalcomponent_get_location(event->ical),
                              icalcomponent_get_description(event->ical), people, categories};

    sqlite3_bind_int64(add_component, 1, owner);
    bind(add_component, 2, event->override ? icaltime_as_ical_string(event->recurrence_id) : NULL);
    for (int i = 0; i < 5; i++) bind(add_component, 3 + i, searched[i]);
    bind(add_component, 8, status ? icalproperty_status_to_string(icalproperty_get_status(status)) : NULL);
    sqlite3_bind_int(add_component, 9, transp == ICAL_TRANSP_OPAQUE || transp == ICAL_TRANSP_OPAQUENOCONFLICT);
    bind(add_component, 10, event->start.zone ? icaltimezone_get_tzid((icaltimezone *)event->start.zone) : NULL);
    step(add_component);
    event->row = sqlite3_last_insert_rowid(db);

    sqlite3_bind_int64(add_text, 1, event->row);
    for (int i = 0; i < 5; i++) bind(add_text, 2 + i, searched[i]);
    step(add_text);
    free(people);
    free(categories);
    counts.components++;
}

/* ---- Occurrences ---- */

/* The starts that the set does not have: EXDATEs and the RECURRENCE-IDs of overrides. */
typedef struct { icaltimetype *items; size_t count, room; } Times;

static void add_time(Times *times, icaltimetype time) {
    if (times->count == times->room) {
        times->room = times->room * 2 + 16;
        times->items = checked(realloc(times->items, times->room * sizeof *times->items));
    }
    times->items[times->count++] = time;
}

static bool holds(const Times *times, icaltimetype start) {
    for (size_t i = 0; i < times->count; i++) {
        icaltimetype time = times->items[i];
        if (time.is_date ? !icaltime_compare_date_only(time, start) : seconds_of(time) == seconds_of(start)) return true;
    }
    return false;
}

/* The bucket of a length: up to an hour 0, a day 1, 30 days 2, longer 3. */
static int span_of(int64_t length) { return (length > 3600) + (length > 86400) + (length > 30 * 86400); }

static void store_occurrence(const Event *event, icaltimetype start, int64_t length) {
    int64_t from = seconds_of(start);
    sqlite3_bind_int(add_occurrence, 1, span_of(length));
    sqlite3_bind_int64(add_occurrence, 2, from);
    sqlite3_bind_int64(add_occurrence, 3, from + length);
    sqlite3_bind_int64(add_occurrence, 4, event->row);
    sqlite3_bind_int(add_occurrence, 5, form_of(start));
    step(add_occurrence);
    counts.occurrences += sqlite3_changes(db);
}

/* Rules finer than a day whose other parts leave long gaps are walked in libical 3.0 second by
 * second, minute by minute or hour by hour, for years: some never come back. */
static bool comes_back(const struct icalrecurrencetype *rule) {
    if (rule->freq == ICAL_NO_RECURRENCE) return false;
    if (rule->freq > ICAL_HOURLY_RECURRENCE) return true;
    return rule->by_month[0] == ICAL_RECURRENCE_ARRAY_MAX && rule->by_year_day[0] == ICAL_RECURRENCE_ARRAY_MAX
        && rule->by_month_day[0] == ICAL_RECURRENCE_ARRAY_MAX && rule->by_day[0] == ICAL_RECURRENCE_ARRAY_MAX
        && rule->by_set_pos[0] == ICAL_RECURRENCE_ARRAY_MAX;
}

static void expand(const Event *event, Times *excluded) {
    icaltimetype start = event->start;
    for (EACH(exdate, event->ical, ICAL_EXDATE_PROPERTY))
        add_time(excluded, in_zone(exdate, icalproperty_get_exdate(exdate)));

    /* DTSTART counts even where the rule does not give it; the table drops it when it comes twice. */
    if (!holds(excluded, start)) store_occurrence(event, start, event->length);

    int left = MOST_OCCURRENCES;
    for (EACH(property, event->ical, ICAL_RRULE_PROPERTY)) {
        struct icalrecurrencetype rule = icalproperty_get_rrule(property);
        icalrecur_iterator *dates = comes_back(&rule) ? icalrecur_iterator_new(rule, start) : NULL;
        if (!dates) {
            counts.refused++;
            continue;
        }
        for (icaltimetype at; left > 0 && !icaltime_is_null_time(at = icalrecur_iterator_next(dates)); left--) {
            at.zone = start.zone;
            if (seconds_of(at) > HORIZON) break;
            if (!holds(excluded, at)) store_occurrence(event, at, event->length);
        }
        icalrecur_iterator_free(dates);
    }
    for (EACH(rdate, event->ical, ICAL_RDATE_PROPERTY)) {
        struct icaldatetimeperiodtype value = icalproperty_get_rdate(rdate);
        bool period = !icaltime_is_null_time(value.period.start);
        icaltimetype at = in_zone(rdate, period ? value.period.start : value.time);
        if (left-- <= 0 || seconds_of(at) > HORIZON || holds(excluded, at)) continue;
        int64_t length = event->length;
        if (period && !icaltime_is_null_time(value.period.end))
            length = seconds_of(in_zone(rdate, value.period.end)) - seconds_of(at);
        else if (period)
            length = icaldurationtype_as_int(value.period.duration);
        store_occurrence(event, at, length);
    }
}

/* ---- One UID ---- */

static void import_event(Piece *head) {
    size_t count = 0, read = 0;
    for (Piece *piece = head; piece; piece = piece->next) count++;
    Event *events = checked(malloc(count * sizeof *events));
    Text text = {0};
    Times replaced = {0};
    for (Piece *piece = head; piece; piece = piece->next) {
        append(&text, piece->start, piece->length);
        if (!read_event(piece, &events[read])) {
            counts.unreadable++;
            continue;
        }
        if (events[read].override) add_time(&replaced, events[read].recurrence_id);
        read++;
    }
    if (read) {
        icalcomponent *ical = events[0].ical;
        icalproperty *modified = first(ical, ICAL_LASTMODIFIED_PROPERTY);
        char id[17], name[32];
        make_id(id);
        bind(add_entity, 1, id);
        step(add_entity);
        if (!*head->uid) snprintf(name, sizeof name, "without-uid-%ld", counts.events);
        bind(add_event, 1, id);
        bind(add_event, 2, *head->uid ? head->uid : name);
        sqlite3_bind_text(add_event, 3, text.bytes, (int)text.length, SQLITE_STATIC);
        sqlite3_bind_int(add_event, 4, icalcomponent_get_sequence(ical));
        if (modified)
            sqlite3_bind_int64(add_event, 5, icaltime_as_timet(icalproperty_get_lastmodified(modified)));
        else
            sqlite3_bind_null(add_event, 5);
        step(add_event);
        int64_t owner = sqlite3_last_insert_rowid(db);
        bind(add_change, 1, id);
        step(add_change);
        counts.events++;
        for (size_t i = 0; i < read; i++) {
            store_component(&events[i], owner);
            if (events[i].override)
                store_occurrence(&events[i], events[i].start, events[i].length);
            else
                expand(&events[i], &replaced);
        }
    }
    for (size_t i = 0; i < read; i++) icalcomponent_free(events[i].ical);
    free(replaced.items);
    free(text.bytes);
    free(events);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: import_ical FILE.ics OUT.db\n");
        return 64;
    }
    icalerror_set_errors_are_fatal(0);
    zones = icalcomponent_new(ICAL_VCALENDAR_COMPONENT);
    Text file = read_file(argv[1]);
    Pieces pieces = {0};
    scan(file.bytes, &pieces, zones);
    link_by_uid(&pieces);

    open_store(argv[2]);
    for (size_t i = 0; i < pieces.count; i++)
        if (!pieces.items[i].follows) import_event(&pieces.items[i]);
    close_store();

    printf("%ld events, %ld components, %ld occurrences, %ld rules refused, %ld components unreadable\n",
           counts.events, counts.components, counts.occurrences, counts.refused, counts.unreadable);
    for (size_t i = 0; i < pieces.count; i++) free(pieces.items[i].uid);
    free(pieces.items);
    free(file.bytes);
    icalcomponent_free(zones);
    return 0;
}
