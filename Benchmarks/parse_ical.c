/* Parses a whole iCalendar file with libical and does nothing with it: the least that any
 * program on libical must spend on reading a file it already knows.
 *
 *   parse_ical FILE.ics
 */

#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>

static char *next_line(char *buffer, size_t size, void *file) {
    return fgets(buffer, (int)size, file);
}

static long count(icalcomponent *component, long *properties) {
    long components = 1;
    *properties += icalcomponent_count_properties(component, ICAL_ANY_PROPERTY);
    icalcompiter at = icalcomponent_begin_component(component, ICAL_ANY_COMPONENT);
    for (icalcomponent *inner; (inner = icalcompiter_deref(&at)); icalcompiter_next(&at))
        components += count(inner, properties);
    return components;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: parse_ical FILE.ics\n");
        return 64;
    }
    FILE *file = fopen(argv[1], "r");
    if (!file) {
        perror(argv[1]);
        return 66;
    }
    icalerror_set_errors_are_fatal(0);
    icalparser *parser = icalparser_new();
    icalparser_set_gen_data(parser, file);
    icalcomponent *root = icalparser_parse(parser, next_line);
    fclose(file);
    if (!root) {
        fprintf(stderr, "parse_ical: %s: no component\n", argv[1]);
        return 65;
    }
    long properties = 0, components = count(root, &properties);
    printf("%ld components, %ld properties\n", components, properties);
    icalcomponent_free(root);
    icalparser_free(parser);
    return 0;
}
