#ifndef HELIX_CLIBICAL_H
#define HELIX_CLIBICAL_H

#include <stdint.h>

/// libical 3, opened when the first calendar is checked. Signatures come from its headers.

/// A parsed calendar.
typedef struct helix_ical helix_ical;

/// The kind of an error that libical found.
typedef enum {
  /// A line, a property, a parameter or a value cannot be parsed.
  HELIX_ICAL_PARSE = 0,
  /// A property that the component must have is missing, or is there more often than allowed.
  HELIX_ICAL_COUNT = 1,
  /// The component breaks a restriction of its METHOD (RFC 5546).
  HELIX_ICAL_METHOD = 2,
} helix_ical_kind;

/// An error. The texts are libical's, valid during the call only.
typedef struct {
  helix_ical_kind kind;
  /// The value of the last X-HELIX-LINE before the error; 0 if there is none.
  long line;
  /// VEVENT.
  const char *component;
  /// The name of a property that is counted; NULL if the message names it.
  const char *property;
  /// libical's message; NULL for a count.
  const char *message;
  /// The number of such properties, for a count.
  int count;
} helix_ical_error;

/// The main properties of a component, as libical reads them. The texts are valid during the call only.
typedef struct {
  /// VEVENT.
  const char *component;
  /// NULL without one.
  const char *uid;
  /// NULL without one.
  const char *zone;
  /// RRULE in libical's form; NULL without one, or if it is invalid.
  const char *rule;
  int has_start, year, month, day, hour, minute, second;
  int is_date, is_utc;
  /// Seconds since 1970 of the start in its zone; in UTC if it has none.
  int64_t start;
} helix_ical_reading;

/// Whether libical is installed.
int helix_ical_is_available(void);

/// Whether values of a property are text; 1 for X- names.
int helix_ical_is_text(const char *property);

/// Parses the text of a VCALENDAR; NULL if it is none.
helix_ical *helix_ical_parse(const char *text);

void helix_ical_free(helix_ical *calendar);

/// Whether libical found any error while it parsed.
int helix_ical_has_errors(const helix_ical *calendar);

/// Checks the restrictions of the calendar's METHOD; errors are reported by `helix_ical_errors`.
void helix_ical_check_method(helix_ical *calendar);

/// Reports all errors, in order, and properties that RFC 5545 §3.6 requires exactly once and that are not.
/// `needs_start` says whether events must have a DTSTART, as they must without a METHOD.
void helix_ical_errors(const helix_ical *calendar, int needs_start, void *context,
                       void (*report)(void *context, const helix_ical_error *error));

/// Reads the components of the calendar except VTIMEZONE.
void helix_ical_readings(const helix_ical *calendar, void *context,
                         void (*report)(void *context, const helix_ical_reading *reading));

#endif
