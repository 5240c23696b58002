#include "CLibical.h"

#include <dlfcn.h>
#include <libical/ical.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Every function that is used, with the signature that the header declares.
#define FUNCTIONS(USE)                                                                                                 \
  USE(icalparser_parse_string)                                                                                         \
  USE(icalcomponent_free)                                                                                              \
  USE(icalcomponent_isa)                                                                                               \
  USE(icalcomponent_kind_to_string)                                                                                    \
  USE(icalcomponent_count_errors)                                                                                      \
  USE(icalcomponent_count_properties)                                                                                  \
  USE(icalcomponent_get_first_component)                                                                               \
  USE(icalcomponent_get_next_component)                                                                                \
  USE(icalcomponent_begin_component)                                                                                   \
  USE(icalcompiter_deref)                                                                                              \
  USE(icalcompiter_next)                                                                                               \
  USE(icalcomponent_get_first_property)                                                                                \
  USE(icalcomponent_get_next_property)                                                                                 \
  USE(icalcomponent_get_uid)                                                                                           \
  USE(icalcomponent_get_dtstart)                                                                                       \
  USE(icalproperty_isa)                                                                                                \
  USE(icalproperty_get_x)                                                                                              \
  USE(icalproperty_get_x_name)                                                                                         \
  USE(icalproperty_get_xlicerror)                                                                                      \
  USE(icalproperty_get_first_parameter)                                                                                \
  USE(icalproperty_get_rrule)                                                                                          \
  USE(icalproperty_string_to_kind)                                                                                     \
  USE(icalproperty_kind_to_value_kind)                                                                                 \
  USE(icalproperty_kind_to_string)                                                                                     \
  USE(icalparameter_get_xlicerrortype)                                                                                 \
  USE(icalrecurrencetype_as_string_r)                                                                                  \
  USE(icalrestriction_check)                                                                                           \
  USE(icaltime_is_null_time)                                                                                           \
  USE(icaltime_is_utc)                                                                                                 \
  USE(icaltime_get_tzid)                                                                                               \
  USE(icaltime_as_timet_with_zone)                                                                                     \
  USE(icalerror_set_errors_are_fatal)

#define DECLARE(name) static __typeof__(&name) call_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded = 0;

static void load(void) {
  void *library = dlopen("libical.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
#define LOAD(name)                                                                                                     \
  *(void **)&call_##name = dlsym(library, #name);                                                                      \
  if (!call_##name) return;
  FUNCTIONS(LOAD)
  call_icalerror_set_errors_are_fatal(0);
  is_loaded = 1;
}

struct helix_ical {
  icalcomponent *root;
};

int helix_ical_is_available(void) {
  pthread_once(&once, load);
  return is_loaded;
}

int helix_ical_is_text(const char *property) {
  if (!helix_ical_is_available()) return 0;
  // libical calls properties with an X- name X.
  icalproperty_kind kind = call_icalproperty_string_to_kind(property);
  if (kind == ICAL_X_PROPERTY || strcmp(property, "X") == 0) return 1;
  icalvalue_kind value = call_icalproperty_kind_to_value_kind(kind);
  return value == ICAL_TEXT_VALUE || value == ICAL_X_VALUE || value == ICAL_STRING_VALUE;
}

helix_ical *helix_ical_parse(const char *text) {
  if (!helix_ical_is_available()) return NULL;
  icalcomponent *root = call_icalparser_parse_string(text);
  if (!root) return NULL;
  helix_ical *calendar = malloc(sizeof *calendar);
  if (!calendar) {
    call_icalcomponent_free(root);
    return NULL;
  }
  calendar->root = root;
  return calendar;
}

void helix_ical_free(helix_ical *calendar) {
  if (!calendar) return;
  call_icalcomponent_free(calendar->root);
  free(calendar);
}

int helix_ical_has_errors(const helix_ical *calendar) { return call_icalcomponent_count_errors(calendar->root) > 0; }

void helix_ical_check_method(helix_ical *calendar) { call_icalrestriction_check(calendar->root); }

typedef struct {
  int needs_start;
  void *context;
  void (*report)(void *, const helix_ical_error *);
} visit;

// RFC 5545 §3.6.1-§3.6.5: properties that must be there once; `most` alone for those that need not be there.
static void count(const visit *visit, icalcomponent *component, helix_ical_error *error, icalproperty_kind kind,
                  int least) {
  int number = call_icalcomponent_count_properties(component, kind);
  if (number >= least && number <= 1) return;
  error->kind = HELIX_ICAL_COUNT;
  error->property = call_icalproperty_kind_to_string(kind);
  error->message = NULL;
  error->count = number;
  visit->report(visit->context, error);
}

static void check(const visit *visit, icalcomponent *component) {
  icalcomponent_kind kind = call_icalcomponent_isa(component);
  helix_ical_error error = {.component = call_icalcomponent_kind_to_string(kind)};
  long begin = 0;
  for (icalproperty *property = call_icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY); property;
       property = call_icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)) {
    icalproperty_kind what = call_icalproperty_isa(property);
    if (what == ICAL_X_PROPERTY) {
      const char *name = call_icalproperty_get_x_name(property);
      const char *value = call_icalproperty_get_x(property);
      if (!name || !value || strcmp(name, "X-HELIX-LINE") != 0) continue;
      error.line = strtol(value, NULL, 10);
      if (!begin) begin = error.line;
    } else if (what == ICAL_XLICERROR_PROPERTY) {
      icalparameter *type = call_icalproperty_get_first_parameter(property, ICAL_XLICERRORTYPE_PARAMETER);
      int is_method = type && call_icalparameter_get_xlicerrortype(type) == ICAL_XLICERRORTYPE_INVALIDITIP;
      error.kind = is_method ? HELIX_ICAL_METHOD : HELIX_ICAL_PARSE;
      error.message = call_icalproperty_get_xlicerror(property);
      error.property = NULL;
      helix_ical_error copy = error;
      // Restrictions concern the component, not the line that was read last.
      if (is_method) copy.line = begin;
      if (copy.message) visit->report(visit->context, &copy);
    }
  }
  error.line = begin;
  if (kind == ICAL_VEVENT_COMPONENT || kind == ICAL_VTODO_COMPONENT || kind == ICAL_VJOURNAL_COMPONENT ||
      kind == ICAL_VFREEBUSY_COMPONENT) {
    count(visit, component, &error, ICAL_UID_PROPERTY, 1);
    count(visit, component, &error, ICAL_DTSTAMP_PROPERTY, 1);
    int needs_start = kind == ICAL_VEVENT_COMPONENT && visit->needs_start;
    count(visit, component, &error, ICAL_DTSTART_PROPERTY, needs_start);
  } else if (kind == ICAL_VTIMEZONE_COMPONENT) {
    count(visit, component, &error, ICAL_TZID_PROPERTY, 1);
  }
  for (icalcompiter inner = call_icalcomponent_begin_component(component, ICAL_ANY_COMPONENT);
       call_icalcompiter_deref(&inner); call_icalcompiter_next(&inner)) {
    check(visit, call_icalcompiter_deref(&inner));
  }
}

void helix_ical_errors(const helix_ical *calendar, int needs_start, void *context,
                       void (*report)(void *context, const helix_ical_error *error)) {
  visit visit = {.needs_start = needs_start, .context = context, .report = report};
  check(&visit, calendar->root);
}

static void read_component(icalcomponent *component, void *context,
                           void (*report)(void *, const helix_ical_reading *)) {
  icalcomponent_kind kind = call_icalcomponent_isa(component);
  helix_ical_reading reading = {.component = call_icalcomponent_kind_to_string(kind)};
  reading.uid = call_icalcomponent_get_uid(component);
  if (call_icalcomponent_get_first_property(component, ICAL_DTSTART_PROPERTY)) {
    struct icaltimetype start = call_icalcomponent_get_dtstart(component);
    if (!call_icaltime_is_null_time(start)) {
      reading.has_start = 1;
      reading.year = start.year;
      reading.month = start.month;
      reading.day = start.day;
      reading.hour = start.hour;
      reading.minute = start.minute;
      reading.second = start.second;
      reading.is_date = start.is_date;
      reading.is_utc = call_icaltime_is_utc(start);
      reading.zone = call_icaltime_get_tzid(start);
      reading.start = call_icaltime_as_timet_with_zone(start, start.zone);
    }
  }
  char *text = NULL;
  icalproperty *rule = call_icalcomponent_get_first_property(component, ICAL_RRULE_PROPERTY);
  if (rule) {
    struct icalrecurrencetype value = call_icalproperty_get_rrule(rule);
    if (value.freq != ICAL_NO_RECURRENCE) text = call_icalrecurrencetype_as_string_r(&value);
  }
  reading.rule = text;
  report(context, &reading);
  free(text);
}

void helix_ical_readings(const helix_ical *calendar, void *context,
                         void (*report)(void *context, const helix_ical_reading *reading)) {
  for (icalcomponent *component = call_icalcomponent_get_first_component(calendar->root, ICAL_ANY_COMPONENT); component;
       component = call_icalcomponent_get_next_component(calendar->root, ICAL_ANY_COMPONENT)) {
    if (call_icalcomponent_isa(component) == ICAL_VTIMEZONE_COMPONENT) continue;
    read_component(component, context, report);
  }
}
