"""Request limits: sizes and counts that no client can exceed; the catalog publishes them."""

#: Largest message, in bytes.
MOST_BYTES = 256 * 1024
#: A message above this size is not even read: the transport refuses it, grpcio without our error details.
MOST_READ_BYTES = 16 * MOST_BYTES
#: Items in one frame from a client.
MOST_ITEMS = 256
#: Seats on one stream.
MOST_SEATS = 8192
#: Options in one request. Far more than a game has, but each wrong one costs a lookup and a violation in the answer.
MOST_OPTIONS = 64
#: Inputs of one seat that are not yet answered.
MOST_IN_FLIGHT = 16
