#ifndef HELIX_CSIGNATURES_H
#define HELIX_CSIGNATURES_H

#include "CSignaturesCurve.h"
#include "CSignaturesVerify.h"

#endif
