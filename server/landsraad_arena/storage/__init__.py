"""The database of leagues: tables, migrations, one writer, and the queries of results."""
