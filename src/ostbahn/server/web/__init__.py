"""The web application: pages, forms, the JSON API, and middleware."""
