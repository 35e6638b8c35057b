"""Environment of Alembic: it runs on the connection, and in the transaction, of its caller."""

from alembic import context

from landsraad_arena.storage.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=True)
context.run_migrations()
