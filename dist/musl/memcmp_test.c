/* Compares memcmp with a loop over bytes: every size up to 300, every place of a difference, at the end of a page that nothing follows. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int sign(int n) { return (n > 0) - (n < 0); }

/* The last `4096` bytes before memory that may not be read. */
static unsigned char *page(void) {
    unsigned char *both = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(both + 4096, 4096, PROT_NONE);
    return both;
}

int main(void) {
    unsigned char *left = page(), *right = page();
    int (*volatile compare)(const void *, const void *, size_t) = memcmp;
    long compared = 0;
    for (size_t size = 0; size <= 300; size++) {
        unsigned char *a = left + 4096 - size, *b = right + 4096 - size;
        for (size_t at = 0; at <= size; at++) {
            for (size_t i = 0; i < size; i++) a[i] = b[i] = (unsigned char)(i * 37 + size);
            static const unsigned char pairs[][2] = {{0, 255}, {255, 0}, {127, 128}, {1, 2}};
            for (int pair = 0; pair < 4; pair++) {
                if (at < size) a[at] = pairs[pair][0], b[at] = pairs[pair][1];
                /* What follows a difference counts for nothing. */
                if (at + 1 < size) a[at + 1] = pairs[pair][1], b[at + 1] = pairs[pair][0];
                int expected = at < size ? sign((int)a[at] - (int)b[at]) : 0;
                int got = sign(compare(a, b, size));
                if (got != expected) return printf("size %zu, difference at %zu: %d, not %d\n", size, at, got, expected), 1;
                compared++;
            }
        }
    }
    return printf("%ld comparisons\n", compared), 0;
}
