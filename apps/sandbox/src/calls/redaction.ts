import { withoutAddressSecrets } from './address-secrets.js';
import { maskCardNumbers } from './card-numbers.js';
import { MARGIN, MOST_CHARACTERS } from './excerpt.js';
import { headerSensitivityOf, sensitivityOf, type Sensitivity } from './secret-names.js';

export const REDACTED = '[redacted]';
const PERSONAL = '[personal]';
const EMAIL = '[e-mail]';

/** A shorter credential is not searched elsewhere: a word like "a" would be erased from every text. */
const SHORTEST_ERASED = 6;

/** A run of anything that an address may contain: linear to scan, whatever a caller sends. */
const WORDS = /[^\s<>"'(),;\\[\]{}|=&?#/]+/g;
const AT = /@|＠|%40/i;

/** Every pattern below needs one of these: most texts have none, and one check is enough for them. */
const SUSPECT = /[@＠=%]|A21AA|EC-|bearer|basic|\d[\d\s+.,/_\u2010-\u2015-]{11}/i;

/** No longer text is kept, so that no pattern has to run on more. */
const LONGEST_READ = MOST_CHARACTERS + MARGIN;

/** A text after the name of a scheme that is longer than a word; and the format of this service's tokens. */
const SCHEME = /\b(bearer|basic)(\s+|%20)[\w.~+/=%-]{12,}/gi;
const TOKEN = /A21AA[\w-]{8,}|EC-[A-Z0-9]{17}/g;

/**
 * Removes secrets and personal data from one call before it is stored. Pure. A value whose name marks it as secret is
 * removed whatever it is; card numbers, e-mail addresses and tokens are removed everywhere; and `credentials`, which
 * authenticated this call, are removed wherever a caller has repeated them.
 */
export class Redaction {
  readonly #credentials: readonly string[];

  constructor(credentials: readonly string[]) {
    this.#credentials = credentials
      .filter(({ length }) => length >= SHORTEST_ERASED)
      .toSorted((left, right) => right.length - left.length);
  }

  /** A text; of one that is longer than the limit, its beginning. */
  text(text: string): string {
    if (text.length > LONGEST_READ) return `${this.text(text.slice(0, LONGEST_READ)).slice(0, -MARGIN)}…`;
    let open = text;
    for (const credential of this.#credentials)
      if (credential.length <= open.length) open = open.replaceAll(credential, REDACTED);
    if (!SUSPECT.test(open)) return open;
    open = open.replaceAll(SCHEME, `$1$2${REDACTED}`).replaceAll(TOKEN, REDACTED);
    if (AT.test(open)) open = open.replaceAll(WORDS, maskEmail);
    return maskCardNumbers(withoutQuerySecrets(open));
  }

  /** A JSON value: names and values at every depth. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#number(value);
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (typeof value !== 'object' || value === null) return value;
    const patched = 'path' in value ? lastNameOf(value.path) : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        this.text(name),
        this.#named(name === 'value' ? (patched ?? name) : name, item),
      ]),
    );
  }

  /** Headers as Node gives them; what is not a text or a list of texts is omitted. */
  headers(headers: Readonly<Record<string, unknown>>): Record<string, string> {
    const open: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      const text = Array.isArray(value) ? value.join(', ') : value;
      if (typeof text !== 'string' && typeof text !== 'number') continue;
      open[this.text(name)] = this.#header(name, String(text));
    }
    return open;
  }

  /** A path as it came, percent-encoded or not. */
  path(path: string): string {
    return path
      .split('/')
      .map((segment) => this.#encoded(segment))
      .join('/');
  }

  /** A query or a form, without its `?`: the value of each parameter by its name. */
  query(query: string): string {
    return query
      .split('&')
      .map((parameter) => {
        const equals = parameter.indexOf('=');
        if (equals < 0) return this.#encoded(parameter);
        const name = parameter.slice(0, equals);
        const decodedName = decoded(name);
        const mask = decodedName === undefined ? REDACTED : maskOf(sensitivityOf(decodedName));
        return `${this.#encoded(name)}=${mask ?? this.#encoded(parameter.slice(equals + 1))}`;
      })
      .join('&');
  }

  #named(name: string, item: unknown): unknown {
    const sensitivity = sensitivityOf(name);
    const isText = typeof item !== 'object' || item === null;
    if (sensitivity === 'secret' || (sensitivity === 'secret-text' && isText)) return REDACTED;
    if (sensitivity === 'personal' && isText) return PERSONAL;
    if (sensitivity === 'personal' && Array.isArray(item))
      return item.map((one: unknown) => (typeof one === 'object' ? this.json(one) : PERSONAL));
    if (typeof item === 'string') return this.text(name === 'url' ? withoutAddressSecrets(item) : item);
    // A number with a wrong check digit is a mistyped card number when its field is a card's.
    const isCard = !isText && /card/i.test(name) && 'number' in item;
    return this.json(isCard ? { ...item, number: REDACTED } : item);
  }

  #header(name: string, value: string): string {
    const sensitivity = headerSensitivityOf(name);
    if (sensitivity !== 'secret-text') return maskOf(sensitivity) ?? this.text(value);
    const scheme = /^(bearer|basic)\s/i.exec(value)?.[1];
    return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
  }

  #number(value: number): number | string {
    const text = String(value);
    const open = this.text(text);
    return open === text ? value : open;
  }

  /** Unchanged unless something in it had to be removed. */
  #encoded(text: string): string {
    const plain = decoded(text);
    if (plain === undefined) return REDACTED;
    const open = this.text(plain);
    return open === plain ? this.text(text) : open;
  }
}

/** What authenticated a call and what its answer issued, as texts to search for. */
export function credentialsIn(authorization: string | undefined, answer: unknown): string[] {
  const [, scheme, given] = /^(bearer|basic)\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  const found = [given ?? authorization ?? ''];
  if (scheme?.toLowerCase() === 'basic') {
    const pair = Buffer.from(given ?? '', 'base64').toString('utf8');
    found.push(pair.slice(pair.indexOf(':') + 1));
  }
  if (typeof answer === 'object' && answer !== null && 'access_token' in answer)
    if (typeof answer.access_token === 'string') found.push(answer.access_token);
  return found;
}

/** The end of a JSON Patch's `path` names its `value`, with or without the leading slash. */
function lastNameOf(path: unknown): string | undefined {
  if (typeof path !== 'string') return undefined;
  const names = path.split('/').filter((name) => name !== '');
  return names.at(-1)?.toLowerCase();
}

function maskOf(sensitivity: Sensitivity): string | undefined {
  if (sensitivity === 'open') return undefined;
  return sensitivity === 'personal' ? PERSONAL : REDACTED;
}

function maskEmail(word: string): string {
  return AT.test(word) && word.length > 1 ? EMAIL : word;
}

/** Addresses inside texts have parameters, too, such as the links of an answer. */
function withoutQuerySecrets(text: string): string {
  if (!text.includes('=')) return text;
  return text.replaceAll(/(?<![\w.~%-])([\w.~%-]+)=([^\s&#"'<>]+)/g, (parameter, name: string) => {
    const mask = maskOf(sensitivityOf(decoded(name) ?? name));
    return mask === undefined ? parameter : `${name}=${mask}`;
  });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
