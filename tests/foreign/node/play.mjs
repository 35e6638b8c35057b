// Play whole matches with random legal acts: all seats on one stream, from the protocol files alone.
//
// `service` has one function for each unary method, named like it, and `connect(items)`, which takes an async iterable
// of client items and returns one of server items. Messages are in protobuf's JSON form.

import { draw, generator, readGraphs } from "./draw.mjs";

/** A queue of items to send that is read as an async iterable. */
class Outbox {
  #items = [];
  #wake = () => {};
  #closed = false;

  put(item) {
    this.#items.push(item);
    this.#wake();
  }

  close() {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      if (this.#items.length > 0) yield this.#items.shift();
      else if (this.#closed) return;
      else await new Promise((wake) => { this.#wake = wake; });
    }
  }
}

/** A seat: the open question, and the inputs that were sent. */
class Seat {
  constructor(subscription) {
    this.subscription = subscription;
    this.seq = 0;
    this.accepted = 0;
    this.open = undefined;
    this.answered = 0;
  }

  hear(first, entries) {
    entries.forEach((entry, index) => {
      if (entry.question) this.open = { number: first + index, question: entry.question };
      else if (entry.answer || entry.withdrawn) this.open = undefined;
    });
  }

  /** Return the answer to the open question if it has none yet. */
  answer(random, graphs) {
    if (this.open === undefined || this.open.number <= this.answered) return undefined;
    this.answered = this.open.number;
    this.seq += 1;
    const act = { generic: draw(random, this.open.question, graphs) };
    const submit = { seq: String(this.seq), decisionId: String(this.open.number), act };
    return { subscription: this.subscription, submit };
  }
}

/** An input that came too late because another seat's was faster is no fault of the client. */
const LATE = new Set(["ERROR_REASON_STALE", "ERROR_REASON_OVER"]);

/** Play one match and return what happened. */
export async function playMatch(service, { game, seats, seed }) {
  const random = generator(seed);
  const described = await service.getGame({ name: `games/${game}`, seats });
  const graphs = readGraphs(described);
  const created = await service.createMatch({
    match: { game: `games/${game}`, title: "foreign client", seats: Array.from({ length: seats }, () => ({})) },
    requestId: `foreign-${seed}-${process.pid}-${Date.now()}`,
  });
  const outbox = new Outbox();
  const table = [];
  for (let number = 0; number < seats; number += 1) {
    const joined = await service.joinMatch({ name: created.name, seat: number, player: `player ${number}` });
    table.push(new Seat(number + 1));
    outbox.put({
      subscription: number + 1,
      subscribe: { match: created.name, seat: number, credential: joined.credential, from: { epoch: "0", from: "1" } },
    });
  }
  let late = 0;
  let over = 0;
  for await (const item of service.connect(outbox)) {
    if (item.ping) outbox.put({ pong: item.ping });
    const seat = table[(item.subscription ?? 0) - 1];
    if (item.entries) seat.hear(Number(item.entries.first), item.entries.entries);
    if (item.ack) seat.accepted += 1;
    if (item.refusal) {
      if (!LATE.has(item.refusal.reason)) throw new Error(`refused: ${JSON.stringify(item.refusal)}`);
      late += 1;
    }
    if (item.closed) {
      if (item.closed.reason !== "CLOSED_REASON_OVER") throw new Error(`closed: ${JSON.stringify(item.closed)}`);
      over += 1;
      if (over === seats) outbox.close();
    }
    const answer = seat?.answer(random, graphs);
    if (answer !== undefined) outbox.put(answer);
  }
  const finished = await service.getMatch({ name: created.name });
  const replay = await service.getReplay({ name: created.name.replace("matches/", "replays/"), seat: 0, pageSize: 1 });
  return {
    game,
    seats,
    acts: table.reduce((sum, seat) => sum + seat.accepted, 0),
    late,
    state: finished.state,
    kind: finished.result.kind,
    ending: finished.result.ending ?? "",
    winners: finished.result.winners ?? [],
    replayed: (replay.entries?.entries ?? []).length,
  };
}

/** Read the command line: SERVER GAME SEATS MATCHES SEED; play and print one line of JSON for each match. */
export async function main(connectTo) {
  const [server, game, seats, matches, seed] = process.argv.slice(2);
  const service = connectTo(server);
  try {
    for (let index = 0; index < Number(matches); index += 1) {
      const played = await playMatch(service, { game, seats: Number(seats), seed: Number(seed) + index });
      console.log(JSON.stringify(played));
    }
  } finally {
    service.close();
  }
}
