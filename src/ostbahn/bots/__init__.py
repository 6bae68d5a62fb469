"""Opponents: whoever can answer a question may play."""
