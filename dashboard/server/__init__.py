"""What stands between a request and the pages: whose it is, and whether it has the key."""
