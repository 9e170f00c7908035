#include <stdio.h>

int larger(int a, int b) { return a > b ? a : b; }

int main() {
  int n, m = -1000000, x;
  scanf("%d", &n);
  while (n--) {
    scanf("%d", &x);
    m = larger(m, x);
  }
  printf("%d", m);
  return 0;
}
