#include <stdio.h>

void turn(int n) {
  int x;
  if (n == 0) return;
  scanf("%d", &x);
  turn(n - 1);
  printf("%d ", x);
}

int main() {
  int n;
  scanf("%d", &n);
  turn(n);
  return 0;
}
