#include <stdio.h>

int main() {
  int n, x, best;
  scanf("%d %d", &n, &best);
  for (int i = 1; i < n; i++) {
    scanf("%d", &x);
    if (x > best) best = x;
  }
  printf("%d\n", best);
}
