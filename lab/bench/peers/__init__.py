"""Well-known lists of users beside the console's: Django's admin and Wagtail's, in an environment of their own."""
