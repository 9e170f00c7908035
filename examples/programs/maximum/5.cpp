#include <stdio.h>

int main() {
  int k, i, number[200], top = 0;
  scanf("%d", &k);
  for (i = 0; i < k; ++i) {
    scanf("%d", &number[i]);
    if (i == 0 || number[i] > number[top]) top = i;
  }
  printf("%d\n", number[top]);
  return 0;
}
