#include <iostream>
using namespace std;

bool prime(int x) {
  for (int d = 2; d < x; d++)
    if (x % d == 0) return false;
  return x > 1;
}

int main() {
  int n;
  cin >> n;
  for (int i = 2; i <= n; i++)
    if (prime(i)) cout << i << endl;
  return 0;
}
