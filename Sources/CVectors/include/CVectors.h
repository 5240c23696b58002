#ifndef HELIX_CVECTORS_H
#define HELIX_CVECTORS_H

#include <stddef.h>
#include <stdint.h>

/// The sum of the products of 8-bit numbers, at most 65,536 of them, with the widest instructions of the processor.
int32_t helix_vectors_product(const int8_t *left, const int8_t *right, size_t count);

#endif
