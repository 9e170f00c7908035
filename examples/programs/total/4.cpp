#include <iostream>
#include <numeric>
#include <vector>

int main() {
  int n;
  std::cin >> n;
  std::vector<int> v(n);
  for (int& x : v) std::cin >> x;
  std::cout << std::accumulate(v.begin(), v.end(), 0);
}
