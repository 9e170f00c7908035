#include <iostream>
using namespace std;

int main() {
  int n, a[100];
  cin >> n;
  for (int i = 0; i < n; i++) cin >> a[n - 1 - i];
  for (int i = 0; i < n; i++) cout << a[i] << " ";
  return 0;
}
