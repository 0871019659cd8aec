// The functions of libzstd, libbz2 and libisal, found at run time.
#ifndef QUADRILLE_CUNPACK_LIBRARIES_H
#define QUADRILLE_CUNPACK_LIBRARIES_H

#include <bzlib.h>
#include <zstd.h>

// Without its header at build time, ISA-L is never used.
#if __has_include(<isa-l/igzip_lib.h>)
#include <isa-l/igzip_lib.h>
#define CUNPACK_HAS_ISAL 1
#else
struct inflate_state;
#define CUNPACK_HAS_ISAL 0
#endif

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

typedef struct {
  void (*init)(struct inflate_state *);
  int (*inflate)(struct inflate_state *);
} cunpack_isal;

// The libraries; loaded by the first call. NULL where there is none.
const cunpack_zstd *cunpack_load_zstd(void);
const cunpack_bzip2 *cunpack_load_bzip2(void);
const cunpack_isal *cunpack_load_isal(void);

#endif
