// The functions of libzstd and libbz2, found at run time.
#ifndef QUADRILLE_CUNPACK_LIBRARIES_H
#define QUADRILLE_CUNPACK_LIBRARIES_H

#include <bzlib.h>
#include <zstd.h>

typedef struct {
  __typeof__(&ZSTD_createDStream) create;
  __typeof__(&ZSTD_freeDStream) release;
  __typeof__(&ZSTD_DCtx_setParameter) set_parameter;
  __typeof__(&ZSTD_decompressStream) decompress;
  __typeof__(&ZSTD_isError) is_error;
  __typeof__(&ZSTD_getErrorName) error_name;
} cunpack_zstd;

typedef struct {
  __typeof__(&BZ2_bzDecompressInit) init;
  __typeof__(&BZ2_bzDecompress) decompress;
  __typeof__(&BZ2_bzDecompressEnd) end;
} cunpack_bzip2;

// The libraries; loaded by the first call. NULL where there is none.
const cunpack_zstd *cunpack_load_zstd(void);
const cunpack_bzip2 *cunpack_load_bzip2(void);

#endif
