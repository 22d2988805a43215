/*
 * The kernel's computation as a plain loop in C: what the compiler and the core make of it without a
 * JVM. `box` holds the words of all lanes, then their keys, then their salts.
 */
#include <stdint.h>

enum { SUBKEYS = 18, WORDS = SUBKEYS + 4 * 256, MAX = 8 };

/* Offsets in bytes, made by a shift and a mask: gcc's way to the middle bytes is slower on Intel. */
#define AT(s, box, offset) \
  (*(const uint32_t *)((const char *)((s) + SUBKEYS + 256 * (box)) + (uintptr_t)(offset)))
#define F(s, x)                                                        \
  (((AT(s, 0, (x) >> 22 & 0x3fc) + AT(s, 1, (x) >> 14 & 0x3fc)) ^      \
    AT(s, 2, (x) >> 6 & 0x3fc)) + AT(s, 3, ((x) & 0xff) * 4))

static inline __attribute__((always_inline)) void run(uint32_t *box, const int lanes, int expansions) {
  uint32_t(*s)[WORDS] = (void *)box;
  uint32_t(*mixed[2])[SUBKEYS] = {
      (void *)(box + lanes * WORDS), (void *)(box + lanes * (WORDS + SUBKEYS))};
  for (int half = 0; half < 2 * expansions; half++) {
    uint32_t l[MAX], r[MAX];
    for (int n = 0; n < lanes; n++)
      for (int i = 0; i < SUBKEYS; i++) s[n][i] ^= mixed[half & 1][n][i];
#pragma GCC unroll 8
    for (int n = 0; n < lanes; n++) l[n] = r[n] = 0;
    for (int i = 0; i < WORDS; i += 2) {
#pragma GCC unroll 8
      for (int n = 0; n < lanes; n++) l[n] ^= s[n][0];
#pragma GCC unroll 16
      for (int p = 1; p < 17; p += 2) {
#pragma GCC unroll 8
        for (int n = 0; n < lanes; n++) r[n] = (r[n] ^ s[n][p]) ^ F(s[n], l[n]);
#pragma GCC unroll 8
        for (int n = 0; n < lanes; n++) l[n] = (l[n] ^ s[n][p + 1]) ^ F(s[n], r[n]);
      }
#pragma GCC unroll 8
      for (int n = 0; n < lanes; n++) {
        uint32_t last = r[n] ^ s[n][17];
        r[n] = l[n];
        l[n] = last;
        s[n][i] = l[n];
        s[n][i + 1] = r[n];
      }
    }
  }
}

void expand(uint32_t *box, int lanes, int expansions) {
  switch (lanes) {
    case 1: run(box, 1, expansions); break;
    case 2: run(box, 2, expansions); break;
    case 3: run(box, 3, expansions); break;
    case 4: run(box, 4, expansions); break;
    case 5: run(box, 5, expansions); break;
    case 6: run(box, 6, expansions); break;
    case 7: run(box, 7, expansions); break;
    case 8: run(box, 8, expansions); break;
  }
}
