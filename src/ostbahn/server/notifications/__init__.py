"""Notifications by mail, push message and webhook."""
