"""The commands of SVM-light-TK. They stand on the command line, which finds them by name."""
