#ifndef HELIX_CIDN2_H
#define HELIX_CIDN2_H

/// GNU libidn2, opened when the first domain beyond ASCII is written.

/// A domain in ASCII (IDNA 2008, UTS 46), to be given back to `free`; NULL if it is none. `is_missing` says whether libidn2 is
/// not installed.
char *helix_idn_ascii(const char *domain, int *is_missing);

/// A domain with the letters that its ASCII form stands for, to be given back to `free`; NULL if it has none, or libidn2 is not
/// installed.
char *helix_idn_unicode(const char *domain);

#endif
