"""Playing a whole plan: on threads here or on other machines, stored as it arrives."""
