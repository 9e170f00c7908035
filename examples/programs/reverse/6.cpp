#include <iostream>
using namespace std;

int main() {
  int count, value[100], place = 0;
  cin >> count;
  while (place < count) cin >> value[place++];
  while (place > 0) cout << value[--place] << " ";
}
