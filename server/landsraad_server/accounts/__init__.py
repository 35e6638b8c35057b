"""Accounts: API tokens, guests, rate limits, revocation and the audit log."""
