#include <stdio.h>

int add(int a[], int n) {
  if (n == 0) return 0;
  return a[n - 1] + add(a, n - 1);
}

int main() {
  int k, i, number[200];
  scanf("%d", &k);
  for (i = 0; i < k; ++i) scanf("%d", &number[i]);
  printf("%d\n", add(number, k));
  return 0;
}
