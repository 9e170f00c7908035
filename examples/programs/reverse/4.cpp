#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  int n;
  std::cin >> n;
  std::vector<int> v(n);
  for (int& x : v) std::cin >> x;
  std::reverse(v.begin(), v.end());
  for (int x : v) std::cout << x << ' ';
}
