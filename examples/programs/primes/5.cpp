#include <stdio.h>

int divisors(int x) {
  int k, found = 0;
  for (k = 1; k <= x; ++k)
    if (x % k == 0) ++found;
  return found;
}

int main() {
  int n, k;
  scanf("%d", &n);
  for (k = 2; k <= n; ++k)
    if (divisors(k) == 2) printf("%d ", k);
  return 0;
}
