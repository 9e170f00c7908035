#include <stdio.h>

int main() {
  int n, i, j, marked[1000] = {0};
  scanf("%d", &n);
  for (i = 2; i <= n; i++) {
    if (marked[i]) continue;
    printf("%d ", i);
    for (j = i * i; j <= n; j += i) marked[j] = 1;
  }
  return 0;
}
