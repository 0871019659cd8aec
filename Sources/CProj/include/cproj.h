// Positions of other reference systems as longitude and latitude, by PROJ where it is installed: it is
// loaded by the first call.
#ifndef QUADRILLE_CPROJ_H
#define QUADRILLE_CPROJ_H

#include <stddef.h>

typedef enum {
  CPROJ_OK = 0,
  // PROJ is not installed.
  CPROJ_ABSENT = 1,
  // PROJ knows no such reference system, or none of its own for want of its data.
  CPROJ_UNKNOWN = 2,
} cproj_status;

// A transformation for one thread at a time.
typedef struct cproj_transform cproj_transform;

// Makes the transformation from a reference system, such as EPSG:25832, to longitude and latitude on
// WGS 84 in degrees. It is released by cproj_release; NULL on failure.
cproj_status cproj_make(const char *system, cproj_transform **transform);

void cproj_release(cproj_transform *transform);

// Transforms positions in place: x before y, easting before northing, longitude before latitude. One
// that cannot be transformed becomes infinite.
void cproj_apply(const cproj_transform *transform, double *positions, size_t count);

// The version of PROJ, such as 9.1.1; NULL where it is not installed.
const char *cproj_version(void);

#endif
