#include "slices/binomial.h"

/* C(n, k) = C(n, k - 1) * (n - k + 1) / k, always exact; 0 stays 0 once n < k. */
#define C0(n)  UINT64_C(1)
#define C1(n)  (C0(n) * ((n) - UINT64_C(0)) / 1)
#define C2(n)  (C1(n) * ((n) - UINT64_C(1)) / 2)
#define C3(n)  (C2(n) * ((n) - UINT64_C(2)) / 3)
#define C4(n)  (C3(n) * ((n) - UINT64_C(3)) / 4)
#define C5(n)  (C4(n) * ((n) - UINT64_C(4)) / 5)
#define C6(n)  (C5(n) * ((n) - UINT64_C(5)) / 6)
#define C7(n)  (C6(n) * ((n) - UINT64_C(6)) / 7)
#define C8(n)  (C7(n) * ((n) - UINT64_C(7)) / 8)
#define C9(n)  (C8(n) * ((n) - UINT64_C(8)) / 9)
#define C10(n) (C9(n) * ((n) - UINT64_C(9)) / 10)
#define C11(n) (C10(n) * ((n) - UINT64_C(10)) / 11)
#define C12(n) (C11(n) * ((n) - UINT64_C(11)) / 12)
#define ROW(n) {C0(n), C1(n), C2(n), C3(n), C4(n), C5(n), C6(n), C7(n), C8(n), C9(n), C10(n), C11(n), C12(n)}
#define TEN(n)                                                                                               \
    ROW(n), ROW(n + 1), ROW(n + 2), ROW(n + 3), ROW(n + 4), ROW(n + 5), ROW(n + 6), ROW(n + 7), ROW(n + 8),  \
        ROW(n + 9)

const uint64_t BINOMIAL[BINOMIAL_SQUARES + 1][BINOMIAL_PIECES + 1] = {
    TEN(0), TEN(10), TEN(20), TEN(30), TEN(40), ROW(50),
};
