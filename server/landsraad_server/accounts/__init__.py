"""Accounts: API tokens, guests, rate limits by caller, revocation and the audit log."""
