#include <stdio.h>

int main() {
  int k, i, number[200];
  scanf("%d", &k);
  for (i = 0; i < k; ++i) scanf("%d", &number[i]);
  for (i = 0; i < k / 2; ++i) {
    int kept = number[i];
    number[i] = number[k - 1 - i];
    number[k - 1 - i] = kept;
  }
  for (i = 0; i < k; ++i) printf("%d ", number[i]);
  return 0;
}
