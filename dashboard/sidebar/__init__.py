"""What is selected: the controls on the left, and the address that holds them."""
