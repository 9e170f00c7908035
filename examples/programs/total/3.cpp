#include <stdio.h>

int main() {
  int n, x;
  long total = 0;
  scanf("%d", &n);
  while (n--) {
    scanf("%d", &x);
    total += x;
  }
  printf("%ld", total);
  return 0;
}
