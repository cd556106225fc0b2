import type { Chance } from './chance.js';

/** Told nowhere but in a request: a page that repeats it unescaped is found by it. */
export const SCRIPT = '<script>alert("fuzz")</script>';

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff!',
  '\u202e\ufeff\u200d',
  '🧾'.repeat(100),
  'x'.repeat(5_000),
  '1e999',
  '-0',
  '-1.00',
  '0.001',
  '99999999999999999999',
  '1,00',
  ' 1.00',
  'NaN',
  '١٢٣',
  "'; DROP TABLE payments; --",
  '%00%ff',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  '${7*7}',
  '9999-99-99T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  '0000-00-00',
  'JPY',
  'XXX',
  SCRIPT,
];
const HOSTILE_NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, 5e-324];
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '',
  '0',
  'id',
];

type Container = Record<string, unknown>;

/** One value where another was expected. */
export function hostileValue(chance: Chance): unknown {
  return chance.pick<() => unknown>([
    () => chance.pick(HOSTILE_TEXTS),
    () => chance.pick(HOSTILE_TEXTS),
    () => chance.pick(HOSTILE_NUMBERS),
    () => chance.text(1 + chance.below(40)),
    () => null,
    () => chance.happens(0.5),
    () => [],
    () => ({}),
    () => nested(1 + chance.below(30)),
    () => Array.from({ length: chance.below(200) }, () => 0),
    () => ({ [chance.pick(NAMES)]: chance.pick(HOSTILE_TEXTS) }),
  ])();
}

export function hostileText(chance: Chance): string {
  return chance.happens(0.7) ? chance.pick(HOSTILE_TEXTS) : chance.text(chance.below(60));
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { deeper: nested(levels - 1) };
}

/** A valid body with one to three things wrong: a value changed, left out, doubled, or one too many. */
export function mutated(chance: Chance, body: object): unknown {
  const copy = structuredClone(body);
  for (let change = chance.below(3); change >= 0; change -= 1) {
    const places = placesIn(copy);
    if (places.length === 0) return hostileValue(chance);
    const [container, key] = chance.pick(places);
    mutate(chance, container, key);
  }
  return copy;
}

function mutate(chance: Chance, container: Container, key: string): void {
  chance.pick([
    () => (container[key] = hostileValue(chance)),
    () => (container[key] = hostileValue(chance)),
    () => Reflect.deleteProperty(container, key),
    () => addProperty(container, chance.pick(NAMES), hostileValue(chance)),
    () => (container[key] = [container[key], container[key]]),
    () =>
      (container[key] = typeof container[key] === 'string' ? Number(container[key]) : String(container[key])),
  ])();
}

/** As JSON.parse makes it: an assignment to `__proto__` would set the prototype instead. */
function addProperty(container: Container, name: string, value: unknown): void {
  if (Array.isArray(container)) container.push(value);
  else
    Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Each value inside, with what holds it. */
function placesIn(value: unknown): [Container, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const container = value as Container;
  const keys = Object.keys(value).slice(0, 20);
  return keys.flatMap((key) => [[container, key], ...placesIn(container[key])] as [Container, string][]);
}

/** Text that is nearly the JSON of a body, and what no JSON reader should choke on. */
export function hostileJson(chance: Chance, body: object): string | Buffer {
  const text = JSON.stringify(body);
  const cut = chance.below(text.length + 1);
  return chance.pick<() => string | Buffer>([
    () => text.slice(0, cut),
    () => text.slice(0, cut) + chance.text(1) + text.slice(cut),
    () => text + text,
    () => text.replace('{', `{"${chance.pick(NAMES)}":${JSON.stringify(hostileText(chance))},`),
    () => text.replace(/"(\w+)":/, (name) => `${name}1,${name}`),
    () => text.replace(/"[^"]*"/, '"\\u0000"'),
    () => text.replace(/"[^"]*"}/, '"\\ud800"}'),
    () => text.replaceAll('"', "'"),
    () => '['.repeat(10_000) + ']'.repeat(10_000),
    () => '{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000),
    () => `{"intent":${'9'.repeat(4_000)}}`,
    () => Buffer.concat([Buffer.from(text.slice(0, cut)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
    () => `\ufeff${text}`,
    () => chance.pick(['', ' ', 'null', 'true', '0', '"text"', '[]', '{}', '[[]]', '[null]', 'NaN', '//']),
    () => JSON.stringify({ ...body, filler: 'x'.repeat(chance.happens(0.2) ? 300_000 : 3_000) }),
  ])();
}
