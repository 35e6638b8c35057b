"""`landsraad bench service`: what one durable action costs, beside what it could cost at best, measured in one run."""
