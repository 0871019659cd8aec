#ifndef QUADRILLE_CSCAN_H
#define QUADRILLE_CSCAN_H

// The vector instructions of the readers: a bit for each of many bytes, in a few instructions.
//
// Swift's SIMD types compare 16 bytes in one instruction, but have none that gathers the results
// into the bits of a word: on x86-64 a mask became sixteen extractions. These functions are inlined
// into Swift. Each has one body for all machines, over GCC's vector types, and only the gathering of
// bits differs: SSE2, which every x86-64 has, NEON of arm64, and plain C.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// Sixteen bytes, each from 0 to 255.
typedef uint8_t cscan_bytes __attribute__((vector_size(16)));

/// Sixteen bytes, each from -128 to 127; comparisons give -1 for true.
typedef int8_t cscan_flags __attribute__((vector_size(16)));

/// Loads sixteen bytes from any address.
static inline cscan_bytes cscan_load(const uint8_t *bytes) {
  cscan_bytes loaded;
  memcpy(&loaded, bytes, sizeof loaded);
  return loaded;
}

/// Repeats a byte sixteen times.
static inline cscan_bytes cscan_splat(uint8_t byte) {
  return (cscan_bytes){byte, byte, byte, byte, byte, byte, byte, byte,
                       byte, byte, byte, byte, byte, byte, byte, byte};
}

/// Gathers the top bits of sixteen bytes: bit i is that of byte i.
static inline uint32_t cscan_top_bits(cscan_flags flags) {
#if defined(__SSE2__)
  typedef char pmovmskb __attribute__((vector_size(16)));
  return (uint32_t)__builtin_ia32_pmovmskb128((pmovmskb)flags);
#elif defined(__aarch64__) && defined(__ARM_NEON)
  static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t ones = vreinterpretq_u8_s8(vshrq_n_s8((int8x16_t)flags, 7));
  uint8x16_t weighted = vandq_u8(ones, vld1q_u8(weights));
  return (uint32_t)vaddv_u8(vget_low_u8(weighted)) |
         (uint32_t)vaddv_u8(vget_high_u8(weighted)) << 8;
#else
  uint32_t bits = 0;
  for (int i = 0; i < 16; i++) bits |= (uint32_t)((uint8_t)flags[i] >> 7) << i;
  return bits;
#endif
}

/// Finds what separates the fields and records of CSV in 64 bytes: the delimiter, quotes, line feeds
/// and carriage returns.
///
/// Returns a word whose bit i tells whether byte i separates; `*high` receives the bytes above 127
/// in the same form.
static inline uint64_t cscan_separators(const uint8_t *bytes, uint8_t delimiter, uint64_t *high) {
  cscan_bytes delimiters = cscan_splat(delimiter), quotes = cscan_splat('"');
  cscan_bytes feeds = cscan_splat('\n'), returns = cscan_splat('\r');
  uint64_t found = 0, above = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < 4; i++) {
    cscan_bytes part = cscan_load(bytes + 16 * i);
    cscan_flags hits = (cscan_flags)(part == delimiters) | (cscan_flags)(part == quotes) |
                       (cscan_flags)(part == feeds) | (cscan_flags)(part == returns);
    found |= (uint64_t)cscan_top_bits(hits) << (16 * i);
    above |= (uint64_t)cscan_top_bits((cscan_flags)part) << (16 * i);
  }
  *high = above;
  return found;
}

/// Writes the positions of the bits of a word, counted from `base`, in ascending order.
///
/// Returns their number; up to 64 elements are written in any case. Eight are written at a time,
/// since the processor foresees that better than the number of bits.
static inline uint32_t cscan_positions(uint64_t bits, uint32_t base, uint32_t *positions) {
  uint32_t count = (uint32_t)__builtin_popcountll(bits);
  for (uint32_t first = 0; first < count; first += 8) {
#pragma clang loop unroll(full)
    for (uint32_t i = first; i < first + 8; i++) {
      positions[i] = base + (uint32_t)(bits == 0 ? 0 : __builtin_ctzll(bits));
      bits &= bits - 1;
    }
  }
  return count;
}

/// Finds what ends a run of plain characters in a JSON string, in sixteen bytes: quotes, backslashes,
/// control characters and bytes above 127.
///
/// Returns a word whose bit i tells whether byte i does.
static inline uint32_t cscan_string_ends(const uint8_t *bytes) {
  cscan_bytes part = cscan_load(bytes);
  // As signed numbers, the bytes above 127 are smaller than the control characters.
  cscan_flags low = (cscan_flags)part < (cscan_flags)cscan_splat(0x20);
  return cscan_top_bits((cscan_flags)(part == cscan_splat('"')) |
                        (cscan_flags)(part == cscan_splat('\\')) | low);
}

/// Whether a byte occurs among eight.
static inline int cscan_occurs(const uint8_t *bytes, uint8_t wanted) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  word ^= 0x0101010101010101u * wanted;
  return ((word - 0x0101010101010101u) & ~word & 0x8080808080808080u) != 0;
}

/// Counts how often a byte occurs.
static inline size_t cscan_count(const uint8_t *bytes, size_t length, uint8_t wanted) {
  size_t count = 0, index = 0;
  // Short runs without the byte are what a JSON reader asks about most.
  if (length >= 8 && length < 16 && !cscan_occurs(bytes, wanted) &&
      !cscan_occurs(bytes + length - 8, wanted))
    return 0;
  cscan_bytes all = cscan_splat(wanted);
  while (length - index >= 16) {
    // Each of the sixteen sums can count 255 times.
    size_t end = index + 16 * (((length - index) / 16) < 255 ? (length - index) / 16 : 255);
    cscan_bytes sums = cscan_splat(0);
    for (; index < end; index += 16) sums -= (cscan_bytes)(cscan_load(bytes + index) == all);
    uint64_t halves[2];
    memcpy(halves, &sums, sizeof halves);
    if ((halves[0] | halves[1]) != 0)
      for (int i = 0; i < 16; i++) count += sums[i];
  }
  if (length >= 16 && index < length) {
    // The last sixteen bytes again, without those that were counted.
    cscan_flags last = (cscan_flags)(cscan_load(bytes + length - 16) == all);
    uint32_t bits = cscan_top_bits(last) >> (16 - (length - index));
    for (; bits != 0; bits &= bits - 1) count++;
    return count;
  }
  for (; index < length; index++) count += bytes[index] == wanted;
  return count;
}

/// Returns the position of the first occurrence of a byte; `length` without one.
static inline size_t cscan_find(const uint8_t *bytes, size_t length, uint8_t wanted) {
  size_t index = 0;
  cscan_bytes all = cscan_splat(wanted);
  for (; length - index >= 16; index += 16) {
    uint32_t bits = cscan_top_bits((cscan_flags)(cscan_load(bytes + index) == all));
    if (bits != 0) return index + (size_t)__builtin_ctz(bits);
  }
  for (; index < length; index++)
    if (bytes[index] == wanted) return index;
  return length;
}

#endif
