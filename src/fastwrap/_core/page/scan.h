/* Looks at sixteen bytes at a time: with SSE2, with NEON, or with two words of any machine.
   FASTWRAP_PORTABLE takes the last, for tests and for machines that have neither. */
#ifndef FASTWRAP_SCAN_H
#define FASTWRAP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(FASTWRAP_PORTABLE) && (defined(__SSE2__) || defined(_M_X64))
#include <emmintrin.h>
#define FASTWRAP_SIMD "SSE2"
#elif !defined(FASTWRAP_PORTABLE) && defined(__aarch64__) && defined(__ARM_NEON) && defined(__GNUC__)
#include <arm_neon.h>
#define FASTWRAP_SIMD "NEON"
#else
#define FASTWRAP_SIMD "none"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE static __attribute__((noinline))
#define lowest_bit(mask) ((unsigned)__builtin_ctz(mask))
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#ifdef _MSC_VER
#include <intrin.h>
#define ALWAYS_INLINE static __forceinline
#define NEVER_INLINE static __declspec(noinline)
static inline unsigned lowest_bit(uint32_t mask) { unsigned long k; _BitScanForward(&k, mask); return k; }
#else
#define ALWAYS_INLINE static inline
#define NEVER_INLINE static
static inline unsigned lowest_bit(uint32_t mask) { unsigned k = 0; while (!(mask >> k & 1)) k++; return k; }
#endif
#endif

typedef unsigned char byte;

/* A block is sixteen bytes, a mask has one bit for each of them: the lowest for the first. */

#if defined(FASTWRAP_PORTABLE) || !(defined(__SSE2__) || defined(_M_X64) || \
    (defined(__aarch64__) && defined(__ARM_NEON) && defined(__GNUC__)))

typedef struct { uint64_t low, high; } Block;
#define EACH(value) (0x0101010101010101ULL * (value))

ALWAYS_INLINE Block load(const byte *at) { Block b; memcpy(&b, at, 16); return b; }
ALWAYS_INLINE void store(byte *at, Block b) { memcpy(at, &b, 16); }
/* The highest bit of each byte that is zero; exact, since no sum carries into the next byte. */
ALWAYS_INLINE uint64_t zeros(uint64_t word) { return ~(((word & EACH(0x7F)) + EACH(0x7F)) | word | EACH(0x7F)); }
ALWAYS_INLINE uint64_t up_to(uint64_t word, byte most) {  /* for a most below 128 */
    return ~((word & EACH(0x7F)) + EACH(127 - most)) & ~word & EACH(0x80);
}
ALWAYS_INLINE uint32_t packed(uint64_t tops) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    tops = __builtin_bswap64(tops);
#endif
    return (uint32_t)((tops >> 7) * 0x0102040810204080ULL >> 56);
}
ALWAYS_INLINE uint32_t masked(uint64_t low, uint64_t high) { return packed(low) | packed(high) << 8; }
ALWAYS_INLINE uint32_t equal(Block b, byte to) {
    return masked(zeros(b.low ^ EACH(to)), zeros(b.high ^ EACH(to)));
}
ALWAYS_INLINE uint32_t equal2(Block b, byte one, byte two) { return equal(b, one) | equal(b, two); }
ALWAYS_INLINE uint32_t equal3(Block b, byte one, byte two, byte three) { return equal2(b, one, two) | equal(b, three); }
ALWAYS_INLINE uint32_t below_or_at(Block b, byte most) { return masked(up_to(b.low, most), up_to(b.high, most)); }
ALWAYS_INLINE uint32_t beyond_ascii(Block b) { return masked(b.low & EACH(0x80), b.high & EACH(0x80)); }
/* Of a byte that may begin white space beyond ASCII: C2, and E0 to E3. */
ALWAYS_INLINE uint32_t suspects(Block b) {
    return masked(zeros((b.low & EACH(0xFC)) ^ EACH(0xE0)), zeros((b.high & EACH(0xFC)) ^ EACH(0xE0))) | equal(b, 0xC2);
}
ALWAYS_INLINE uint64_t lowered_word(uint64_t word) {
    uint64_t seven = word & EACH(0x7F);
    uint64_t capitals = ((seven + EACH(0x80 - 'A')) ^ (seven + EACH(0x7F - 'Z'))) & ~word & EACH(0x80);
    return word | capitals >> 2;
}
ALWAYS_INLINE Block lowered(Block b) { b.low = lowered_word(b.low); b.high = lowered_word(b.high); return b; }
ALWAYS_INLINE Block both(Block a, Block b) { a.low &= b.low; a.high &= b.high; return a; }
ALWAYS_INLINE uint64_t low_word(Block b) { return b.low; }
ALWAYS_INLINE uint64_t high_word(Block b) { return b.high; }

#elif defined(__SSE2__) || defined(_M_X64)

typedef __m128i Block;
#define EACH_BYTE(value) _mm_set1_epi8((char)(value))

ALWAYS_INLINE Block load(const byte *at) { return _mm_loadu_si128((const __m128i *)at); }
ALWAYS_INLINE void store(byte *at, Block b) { _mm_storeu_si128((__m128i *)at, b); }
ALWAYS_INLINE uint32_t equal(Block b, byte to) {
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(b, EACH_BYTE(to)));
}
ALWAYS_INLINE uint32_t equal2(Block b, byte one, byte two) {
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(b, EACH_BYTE(one)), _mm_cmpeq_epi8(b, EACH_BYTE(two))));
}
ALWAYS_INLINE uint32_t equal3(Block b, byte one, byte two, byte three) {
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(b, EACH_BYTE(one)), _mm_cmpeq_epi8(b, EACH_BYTE(two))),
        _mm_cmpeq_epi8(b, EACH_BYTE(three))));
}
ALWAYS_INLINE uint32_t below_or_at(Block b, byte most) {
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(b, EACH_BYTE(most)), b));
}
ALWAYS_INLINE uint32_t beyond_ascii(Block b) { return (uint32_t)_mm_movemask_epi8(b); }
ALWAYS_INLINE uint32_t suspects(Block b) {
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(
        _mm_cmpeq_epi8(_mm_and_si128(b, EACH_BYTE(0xFC)), EACH_BYTE(0xE0)), _mm_cmpeq_epi8(b, EACH_BYTE(0xC2))));
}
ALWAYS_INLINE Block lowered(Block b) {
    Block capitals = _mm_and_si128(_mm_cmpgt_epi8(b, EACH_BYTE('A' - 1)), _mm_cmplt_epi8(b, EACH_BYTE('Z' + 1)));
    return _mm_or_si128(b, _mm_and_si128(capitals, EACH_BYTE(0x20)));
}
ALWAYS_INLINE Block both(Block a, Block b) { return _mm_and_si128(a, b); }
ALWAYS_INLINE uint64_t low_word(Block b) { return (uint64_t)_mm_cvtsi128_si64(b); }
ALWAYS_INLINE uint64_t high_word(Block b) { return (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(b, b)); }

#else

typedef uint8x16_t Block;

ALWAYS_INLINE Block load(const byte *at) { return vld1q_u8(at); }
ALWAYS_INLINE void store(byte *at, Block b) { vst1q_u8(at, b); }
ALWAYS_INLINE uint32_t masked(uint8x16_t ones) {
    static const byte BITS[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(ones, vld1q_u8(BITS));
    return vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}
ALWAYS_INLINE uint32_t equal(Block b, byte to) { return masked(vceqq_u8(b, vdupq_n_u8(to))); }
ALWAYS_INLINE uint32_t equal2(Block b, byte one, byte two) {
    return masked(vorrq_u8(vceqq_u8(b, vdupq_n_u8(one)), vceqq_u8(b, vdupq_n_u8(two))));
}
ALWAYS_INLINE uint32_t equal3(Block b, byte one, byte two, byte three) {
    return masked(vorrq_u8(vorrq_u8(vceqq_u8(b, vdupq_n_u8(one)), vceqq_u8(b, vdupq_n_u8(two))),
                           vceqq_u8(b, vdupq_n_u8(three))));
}
ALWAYS_INLINE uint32_t below_or_at(Block b, byte most) { return masked(vcleq_u8(b, vdupq_n_u8(most))); }
ALWAYS_INLINE uint32_t beyond_ascii(Block b) { return masked(vcgeq_u8(b, vdupq_n_u8(0x80))); }
ALWAYS_INLINE uint32_t suspects(Block b) {
    return masked(vorrq_u8(vceqq_u8(vandq_u8(b, vdupq_n_u8(0xFC)), vdupq_n_u8(0xE0)), vceqq_u8(b, vdupq_n_u8(0xC2))));
}
ALWAYS_INLINE Block lowered(Block b) {
    uint8x16_t capitals = vandq_u8(vcgeq_u8(b, vdupq_n_u8('A')), vcleq_u8(b, vdupq_n_u8('Z')));
    return vorrq_u8(b, vandq_u8(capitals, vdupq_n_u8(0x20)));
}
ALWAYS_INLINE Block both(Block a, Block b) { return vandq_u8(a, b); }
ALWAYS_INLINE uint64_t low_word(Block b) { return vgetq_lane_u64(vreinterpretq_u64_u8(b), 0); }
ALWAYS_INLINE uint64_t high_word(Block b) { return vgetq_lane_u64(vreinterpretq_u64_u8(b), 1); }

#endif

/* Where the first of some bytes is, or the end: 32 bytes at a time, since most texts and values are not longer, and a
   step that is foreseen costs less than one that is not. */

#define FIND(at, end, found_in, found) \
    do { \
        for (; (end) - (at) >= 32; (at) += 32) { \
            Block one_ = load(at), other_ = load((at) + 16); \
            uint32_t mask_ = found_in(one_) | (uint32_t)found_in(other_) << 16; \
            if (mask_) return (at) + lowest_bit(mask_); \
        } \
        while ((at) < (end) && !(found)) (at)++; \
        return at; \
    } while (0)

ALWAYS_INLINE const byte *find2(const byte *at, const byte *end, byte one, byte two) {
#define TWO(block) equal2(block, one, two)
    FIND(at, end, TWO, *at == one || *at == two);
}

ALWAYS_INLINE const byte *find3(const byte *at, const byte *end, byte one, byte two, byte three) {
#define THREE(block) equal3(block, one, two, three)
    FIND(at, end, THREE, *at == one || *at == two || *at == three);
}

ALWAYS_INLINE const byte *find4(const byte *at, const byte *end, byte one, byte two, byte three, byte four) {
#define FOUR(block) (equal2(block, one, two) | equal2(block, three, four))
    FIND(at, end, FOUR, *at == one || *at == two || *at == three || *at == four);
}

/* White space of HTML. */
ALWAYS_INLINE bool is_space(byte c) { return c == ' ' || (c >= 9 && c <= 13 && c != 11); }
ALWAYS_INLINE bool is_letter(byte c) { return (unsigned)((c | 32) - 'a') < 26; }
ALWAYS_INLINE bool is_digit(byte c) { return (unsigned)(c - '0') < 10; }
ALWAYS_INLINE byte lower(byte c) { return (unsigned)(c - 'A') < 26 ? (byte)(c + 32) : c; }

/* Of a block, what is none of the white space that pages have. */
ALWAYS_INLINE uint32_t not_spaces(Block b) { return (equal2(b, ' ', '\n') | equal2(b, '\t', '\r')) ^ 0xFFFF; }

ALWAYS_INLINE const byte *skip_spaces(const byte *at, const byte *end) {
    while (at < end && is_space(*at)) {
        /* Half of the texts are indentation. */
        uint32_t others = end - at >= 16 ? not_spaces(load(at)) : 1;
        at += others == 0 ? 16 : others & 1 ? 1 : lowest_bit(others);
    }
    return at;
}

#endif
