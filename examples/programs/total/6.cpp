#include <iostream>
using namespace std;

int main() {
  int count, value, all = 0;
  cin >> count;
  while (count-- > 0) {
    cin >> value;
    all += value;
  }
  cout << all << "\n";
}
