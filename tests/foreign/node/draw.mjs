// Draw a random legal answer to a question, from the comments of landsraad/v1/ask.proto alone.
//
// Everything is in protobuf's JSON form: a value is {number}, {text}, {flag}, {list: {items}}, or {} for "nothing".

/** Make a random number generator (mulberry32), so that a match can be played again from its seed. */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many positions of the search one choice may cost. */
const MOST_POSITIONS = 20_000;
/** How many random values stand for a domain that is too large to list. */
const SAMPLES = 40;

const below = (random, count) => Math.floor(random() * count);

function shuffled(random, items) {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = below(random, last + 1);
    [copy[last], copy[other]] = [copy[other], copy[last]];
  }
  return copy;
}

/** Return a text that is equal for equal values. A flag differs from a number. */
export function key(value = {}) {
  if (value.number !== undefined) return `n${value.number}`;
  if (value.text !== undefined) return `t${JSON.stringify(value.text)}`;
  if (value.flag !== undefined) return `f${value.flag}`;
  if (value.list !== undefined) return `[${(value.list.items ?? []).map(key).join()}]`;
  return "-";
}

const list = (items) => ({ list: { items } });
const number = (value) => ({ number: value });

function unique(values) {
  return [...new Map(values.map((value) => [key(value), value])).values()];
}

function sample(random, make) {
  return unique(Array.from({ length: SAMPLES }, () => make()));
}

function subset(random, { items = [], low = 0, high = 0 }) {
  const most = Math.min(high, items.length);
  if (low > most) return [];
  return sample(random, () => {
    const size = low + below(random, most - low + 1);
    const taken = shuffled(random, items.keys()).slice(0, size).sort((a, b) => a - b);
    return list(taken.map((index) => items[index]));
  });
}

function allocation(random, { caps = [], low = 0, high = 0 }) {
  const room = caps.reduce((sum, cap) => sum + cap, 0);
  const most = Math.min(high, room);
  if (low > most) return [];
  return sample(random, () => {
    const total = low + below(random, most - low + 1);
    const units = shuffled(random, caps.flatMap((cap, slot) => Array(cap).fill(slot))).slice(0, total);
    return list(caps.map((_, slot) => number(units.filter((unit) => unit === slot).length)));
  });
}

function walks(random, path, graphs) {
  const { start, steps, blocked = [], stops = [], ends } = path;
  const neighbours = graphs.get(path.graph);
  const found = [];
  const shut = new Set(blocked);
  const walk = (areas) => {
    if (found.length >= 500) return;
    const here = areas.at(-1);
    if (areas.length > 1 && (ends === undefined || (ends.items ?? []).includes(here))) found.push(areas);
    if (areas.length > steps || (areas.length > 1 && stops.includes(here))) return;
    for (const next of shuffled(random, neighbours.get(here) ?? [])) {
      if (!shut.has(next) && !areas.includes(next)) walk([...areas, next]);
    }
  };
  walk([start]);
  return shuffled(random, found).map((areas) => list(areas.map((text) => ({ text }))));
}

/** Return values of a domain in random order: all of a small one, some of a large one. */
function values(random, domain, graphs) {
  if (domain.oneOf) return shuffled(random, domain.oneOf.items ?? []);
  if (domain.range) {
    const { low = 0, high = 0 } = domain.range;
    return shuffled(random, Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => number(low + index)));
  }
  if (domain.subset) return subset(random, domain.subset);
  if (domain.alloc) return allocation(random, domain.alloc);
  if (domain.order) return sample(random, () => list(shuffled(random, domain.order.items ?? [])));
  if (domain.path) return walks(random, domain.path, graphs);
  throw new Error(`a domain of a kind that this client does not know: ${JSON.stringify(domain)}`);
}

const numbers = (value) => (value.list?.items ?? []).map((item) => item.number ?? 0);

function amount(value) {
  if (value.number !== undefined) return value.number;
  if (value.flag !== undefined) return Number(value.flag);
  const items = value.list?.items ?? [];
  return items.every((item) => item.number !== undefined) ? numbers(value).reduce((a, b) => a + b, 0) : items.length;
}

function counted({ weight = 0, weights = [], table = [] }, value) {
  if (table.length > 0) return table.find((row) => key(row.value) === key(value))?.number ?? 0;
  if (weights.length > 0) return numbers(value).reduce((sum, each, index) => sum + each * weights[index], 0);
  return weight * amount(value);
}

/** Return the names of the fields that a constraint is about. */
function concerned({ clause, linear, distinct, rows }) {
  if (clause) return clause.literals.map((literal) => literal.field);
  if (linear) return linear.terms.map((term) => term.field);
  return (distinct ?? rows).names;
}

/** Return true if a constraint holds, given the values of all its fields. */
function holds({ clause, linear, distinct, rows }, given) {
  if (clause) {
    return clause.literals.some(({ field, values: named = [], wanted = false }) => {
      return named.some((value) => key(value) === key(given.get(field))) === wanted;
    });
  }
  if (linear) {
    const sum = linear.terms.reduce((total, term) => total + counted(term, given.get(term.field)), 0);
    return sum >= (linear.low ?? -Infinity) && sum <= (linear.high ?? Infinity);
  }
  if (distinct) {
    const held = distinct.names.map((name) => key(given.get(name))).filter((each) => each !== "-");
    return new Set(held).size === held.length;
  }
  const here = rows.names.map((name) => key(given.get(name))).join();
  return (rows.rows ?? []).some((row) => (row.items ?? []).map(key).join() === here);
}

/** Draw an act of one choice, or return undefined if none was found. */
function fromChoice(random, { act, fields = [], constraints = [] }, graphs) {
  const position = new Map(fields.map(({ name }, index) => [name, index]));
  // A constraint is checked as soon as the last of its fields has a value.
  const due = fields.map((_, index) =>
    constraints.filter((each) => Math.max(...concerned(each).map((name) => position.get(name))) === index),
  );
  let left = MOST_POSITIONS;
  const given = new Map();
  const fill = (index) => {
    if (index === fields.length) return true;
    for (const value of values(random, fields[index].domain, graphs)) {
      left -= 1;
      if (left < 0) return false;
      given.set(fields[index].name, value);
      if (due[index].every((each) => holds(each, given)) && fill(index + 1)) return true;
    }
    return false;
  };
  if (!fill(0)) return undefined;
  return { name: act, fields: fields.map(({ name }) => ({ name, value: given.get(name) })) };
}

/** Draw an answer to a question: a GenericAct in JSON form. */
export function draw(random, question, graphs) {
  for (const choice of shuffled(random, question.options.choices)) {
    const found = fromChoice(random, choice, graphs);
    if (found !== undefined) return found;
  }
  throw new Error(`no answer was found to ${JSON.stringify(question)}`);
}

/** Read the graphs of a game of the catalog. */
export function readGraphs(game) {
  return new Map(
    (game.graphs ?? []).map(({ name, areas = [] }) => [
      name,
      new Map(areas.map(({ id, neighbours = [] }) => [id, neighbours])),
    ]),
  );
}
