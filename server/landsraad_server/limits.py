"""Limits on requests: sizes and counts that no client can exceed. The catalog publishes them."""

#: Largest message that is taken, in bytes.
MOST_BYTES = 256 * 1024
#: A larger one than this is not even read: the transport refuses it; grpcio without our details.
MOST_READ_BYTES = 16 * MOST_BYTES
#: Items in one frame of a client.
MOST_ITEMS = 256
#: Seats that one stream plays.
MOST_SEATS = 8192
#: Options that a request may name: far more than a game has, but each one that is wrong is told, and looked for anew.
MOST_OPTIONS = 64
#: Inputs of one seat that wait for their answer.
MOST_IN_FLIGHT = 16
