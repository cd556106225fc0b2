import { gzipSync } from 'node:zlib';
import type { Random } from '#proof/faults/random.js';
import { collide } from './crc-collision.js';
import { garbage, mutilated, plausibleEvent } from './fuzzed-json.js';

/** One request to the intake, and the answers that are right for it. */
export interface FuzzedDelivery {
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
  readonly right: readonly number[];
}

/** A delivery that the provider has signed and the engine has taken. */
export interface GenuineDelivery {
  readonly eventId: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export interface FuzzTargets {
  /** Address of the application whose provider signs, and of the one that goes by the address alone. */
  readonly signed: string;
  readonly secret: string;
  readonly genuine: readonly GenuineDelivery[];
  /** Where no packet may ever arrive: host:port on this machine, standing for any internal network. */
  readonly internal: string;
  /** Origin that certificates are fetched from. */
  readonly trusted: string;
  /** Ids of resources whose payments must stay as they are. */
  readonly resourceIds: readonly string[];
}

const json = { 'content-type': 'application/json' };
const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
const oversize = Buffer.alloc(300_000, 'x');

/** Draws deliveries one after the other: the same seed draws the same ones. */
export function* fuzzedDeliveries(random: Random, targets: FuzzTargets): Generator<FuzzedDelivery, never> {
  for (let n = 0; ; n++) {
    yield random.weighted<() => FuzzedDelivery>([
      [() => wrongAddress(random, targets, n), 36],
      [() => forged(random, targets, n), 44],
      [() => nonsense(random, targets), 12],
      [() => untrue(random, targets, n), 5],
      [() => unwelcome(random, targets, n), 3],
    ])();
  }
}

/** The address is not one of ours, though nearly. */
function wrongAddress(random: Random, { secret, signed }: FuzzTargets, n: number): FuzzedDelivery {
  const address = random.pick([secret, signed]);
  const at = random.integer('/webhooks/'.length, address.length - 1);
  const other = 'abcdefghijklmnopqrstuvwxyz0123456789-_'.replace(address[at] ?? '', '');
  const path = random.weighted([
    [address.slice(0, at) + random.pick(other.split('')) + address.slice(at + 1), 6],
    [address + random.pick(['0', '%00', '%20', '%', '%ff', '/..', '%2e%2e%2f', '//', '\u00e9']), 3],
    [address.slice(0, at), 2],
    [address.slice(0, at) + 'z'.repeat(random.integer(1, 4_000)), 1],
    [address.replace('/sandbox/', random.pick(['/live/', '/SANDBOX/', '/__proto__/', '//'])), 1],
    [address.replace(/shop/, random.pick(['bookshop', 'constructor', 'sh%6fp%00', 'sh\u200bop'])), 1],
  ]);
  const right = [400, 404, 414];
  const body = Buffer.from(JSON.stringify(plausibleEvent(random, `WH-ADDRESS-${n}`, 'NOBODYS')));
  return {
    kind: 'address',
    method: 'POST',
    path: encodeURI(path).replaceAll('%25', '%'),
    headers: json,
    body,
    right,
  };
}

/** A genuine transmission with something changed. */
function forged(random: Random, targets: FuzzTargets, n: number): FuzzedDelivery {
  const { headers, body } = random.pick(targets.genuine);
  const altered: Record<string, string | string[]> = { ...json, ...headers };
  const to = { method: 'POST', path: targets.signed };
  const event = () => plausibleEvent(random, `WH-FORGED-${n}`, random.pick(targets.resourceIds));
  const kind = random.weighted<'bytes' | 'replay' | 'collision' | 'header' | 'certificate' | 'bare'>([
    ['bytes', 8],
    ['replay', 6],
    ['collision', 1],
    ['header', 10],
    ['certificate', 6],
    ['bare', 4],
  ]);
  const refused = { kind: `forged ${kind}`, ...to, headers: altered, right: [401] };
  switch (kind) {
    case 'bytes':
      return { ...refused, body: flipped(random, body) };
    case 'replay':
      return { ...refused, body: Buffer.from(JSON.stringify(event())) };
    case 'collision':
      // Nothing tells it from a genuine one: it is journaled, and told to nobody (docs/decisions/0019).
      return { ...refused, body: collide(JSON.stringify(event()), body), right: [200] };
    case 'bare':
      return { ...refused, headers: json, body };
    case 'certificate':
      altered['paypal-cert-url'] = certificateElsewhere(random, targets);
      return { ...refused, body };
    case 'header':
      return { ...refused, ...alterHeader(random, altered), body };
  }
}

function flipped(random: Random, body: Buffer): Buffer {
  const bytes = Buffer.from(body);
  const at = random.integer(0, bytes.length - 1);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
  return bytes;
}

function alterHeader(
  random: Random,
  headers: Record<string, string | string[]>,
): Pick<FuzzedDelivery, 'headers' | 'right'> {
  const name = random.pick([
    'paypal-transmission-id',
    'paypal-transmission-time',
    'paypal-transmission-sig',
    'paypal-auth-algo',
  ]);
  const value = String(headers[name]);
  const at = random.integer(0, value.length - 1);
  const changed = random.weighted<string | string[]>([
    ['', 1],
    [value.slice(0, at), 2],
    [value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1), 6],
    [[value, value], 2],
    ['\u00ff'.repeat(random.integer(1, 300)), 2],
    ['x'.repeat(random.integer(2_049, 12_000)), 1],
    ['x'.repeat(20_000), 0.3],
    [random.pick(['SHA1withRSA', 'none', 'HS256', 'sha256withrsa', '2030-01-01T00:00:00Z']), 2],
  ]);
  const right = typeof changed === 'string' && changed.length > 16_000 ? [431] : [401];
  // The last letters of base64 carry bits that are part of no byte, or only pad.
  if (name === 'paypal-transmission-sig' && at >= value.length - 4) return { headers: {}, right: [401] };
  return { headers: { ...headers, [name]: changed }, right };
}

function certificateElsewhere(random: Random, { internal, trusted }: FuzzTargets): string {
  const port = internal.split(':')[1];
  const { host } = new URL(trusted);
  return random.pick([
    `http://${internal}/cert.pem`,
    `https://${internal}/cert.pem`,
    `http://localhost:${port}/cert.pem`,
    `http://[::1]:${port}/cert.pem`,
    `http://[::ffff:127.0.0.1]:${port}/cert.pem`,
    `http://2130706433:${port}/cert.pem`,
    `http://0x7f.1:${port}/cert.pem`,
    `http://${host}@${internal}/cert.pem`,
    `http://${host}:80@${internal}/cert.pem`,
    `http://${internal}#@${host}/cert.pem`,
    `http://${internal}\\@${host}/cert.pem`,
    `${trusted}.${internal}/cert.pem`,
    `//${internal}/cert.pem`,
    `ftp://${internal}/cert.pem`,
    'file:///etc/passwd',
    'http://169.254.169.254/latest/meta-data/',
    'data:text/plain,cert',
    'javascript:1',
    `http://${internal}/${'a'.repeat(2_100)}`,
    'x',
  ]);
}

/** It authenticates, and is no event. */
function nonsense(random: Random, { secret }: FuzzTargets): FuzzedDelivery {
  const type = random.pick([
    json['content-type'],
    'text/plain',
    'application/x-www-form-urlencoded',
    'a/b;c=',
    '*/*',
  ]);
  const body = garbage(random);
  return {
    kind: 'nonsense',
    method: 'POST',
    path: secret,
    headers: { 'content-type': type },
    body,
    right: [400],
  };
}

/** It authenticates, is an event more or less, and what it says is not true. */
function untrue(random: Random, { secret, resourceIds }: FuzzTargets, n: number): FuzzedDelivery {
  const resourceId = random.chance(0.5) ? random.pick(resourceIds) : `NOBODYS-${n}`;
  const event = plausibleEvent(random, `WH-UNTRUE-${n}`, resourceId);
  const body = Buffer.from(JSON.stringify(random.chance(0.7) ? mutilated(random, event) : event));
  return { kind: 'untrue', method: 'POST', path: secret, headers: json, body, right: [200, 400] };
}

/** Another kind of request than the intake takes. */
function unwelcome(random: Random, { secret }: FuzzTargets, n: number): FuzzedDelivery {
  const event = Buffer.from(JSON.stringify(plausibleEvent(random, `WH-UNWELCOME-${n}`, 'NOBODYS')));
  const kind = 'unwelcome';
  const to = { kind, path: secret, headers: json, body: event };
  return random.weighted<() => FuzzedDelivery>([
    [() => ({ ...to, method: random.pick(['PUT', 'DELETE', 'PATCH']), right: [404, 405] }), 6],
    [
      () => ({
        ...to,
        method: 'POST',
        headers: { ...json, 'content-encoding': encoding(random) },
        right: [415],
      }),
      6,
    ],
    [() => bombed(secret), 1],
    [() => ({ ...to, method: 'POST', body: oversize, right: [413] }), 1],
  ])();
}

function encoding(random: Random): string {
  return random.pick(['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'x', 'identity, gzip']);
}

function bombed(path: string): FuzzedDelivery {
  const headers = { ...json, 'content-encoding': 'gzip' };
  return { kind: 'bomb', method: 'POST', path, headers, body: bomb, right: [413, 415] };
}
