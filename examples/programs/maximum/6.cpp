#include <iostream>
using namespace std;

int main() {
  int count, value;
  cin >> count >> value;
  int most = value;
  while (--count > 0) {
    cin >> value;
    if (value >= most) most = value;
  }
  cout << most << "\n";
}
