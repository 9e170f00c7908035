#include <iostream>
using namespace std;

int main() {
  int limit, number = 2;
  cin >> limit;
  while (number <= limit) {
    int d = 2;
    while (number % d != 0) d++;
    if (d == number) cout << number << " ";
    number++;
  }
}
