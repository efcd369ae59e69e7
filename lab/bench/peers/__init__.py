"""Well-known lists of users to compare with the console's: Django's admin and Wagtail's, in a separate environment."""
