/**
 * Payment card numbers in texts. A number counts as one when it has the beginning and the length that an issuer gives, a
 * right check digit (Luhn), the grouping in which people write one, and no letters and digits mixed around it: so ids,
 * instants and amounts of this engine never do, and a random number of sixteen digits hardly ever.
 */

/** Beginnings and lengths: Visa; Mastercard; American Express; Diners; JCB; Discover; UnionPay; Mir; Maestro; RuPay. */
const issued = new RegExp(
  [
    '4(\\d{12}|\\d{15}|\\d{18})',
    '(5[1-5]\\d\\d|222[1-9]|22[3-9]\\d|2[3-6]\\d\\d|27[01]\\d|2720)\\d{12}',
    '3[47]\\d{13}',
    '(30[0-59]|3[689]\\d)\\d{11}',
    '35(2[89]|[3-8]\\d)\\d{12,15}',
    '(6011|64[4-9]\\d|65\\d\\d)\\d{12,15}',
    '62\\d{14,17}',
    '220[0-4]\\d{12,15}',
    '(5018|5020|5038|5893|6304|6759|676[1-3])\\d{9,15}',
    '60\\d{14}',
  ]
    .map((number) => `^${number}$`)
    .join('|'),
);

/** What nearly no text has; the rest costs time. An instant in milliseconds begins with another digit. */
const suspicious = /(?<![0-9])[2-6][0-9]{3}[^0-9]{0,3}[0-9]{3,6}[^0-9]{0,3}[0-9]/;

/** Digits, and what people and text processors write between groups of them. */
const separated = /[0-9]+(?:[\s.\-/·\u2010-\u2013\u200b-\u200d\ufeff]{1,3}[0-9]+)*/gu;
const otherDigits = /[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g;

/** A word that ends, or goes on, in letters alone: `PAN4111…` holds a number, `a1b4111…` is an id. */
const beginsInWord = /(?:[0-9][\p{L}_]*|\+|[0-9][.,])$/u;
const goesOnInWord = /^(?:[\p{L}_]*[0-9]|[.,][0-9])/u;

const stead = '[card number]';

interface Place {
  readonly start: number;
  readonly end: number;
}

export function hasCardNumber(text: string): boolean {
  return placesIn(text).length > 0;
}

/** The text with a stead for each card number. */
export function withoutCardNumbers(text: string): string {
  return placesIn(text).reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + stead + rest.slice(end),
    text,
  );
}

function placesIn(text: string): Place[] {
  const ascii = otherDigitsIn(text) ? text.replace(otherDigits, (digit) => String(valueOf(digit))) : text;
  if (!suspicious.test(ascii)) return [];
  return [...ascii.matchAll(separated)].flatMap(({ 0: run, index }) => placesInRun(ascii, run, index));
}

function otherDigitsIn(text: string): boolean {
  return text.search(otherDigits) !== -1;
}

/** Of a digit of another script. */
function valueOf(digit: string): number {
  const code = digit.charCodeAt(0);
  const zero = code >= 0xff10 ? 0xff10 : code >= 0x06f0 ? 0x06f0 : 0x0660;
  return code - zero;
}

/** Each part of a run of groups that is a number: a date or a code may stand beside it. */
function placesInRun(text: string, run: string, index: number): Place[] {
  const groups = [...run.matchAll(/[0-9]+/g)].map(({ 0: digits, index: at }) => ({ digits, at: index + at }));
  const places: Place[] = [];
  for (let first = 0; first < groups.length; first++) {
    const last = lastGroupOf(text, groups, first);
    const [begin, end] = [groups[first], last === undefined ? undefined : groups[last]];
    if (!begin || !end || last === undefined) continue;
    places.push({ start: begin.at, end: end.at + end.digits.length });
    first = last;
  }
  return places;
}

interface Group {
  readonly digits: string;
  readonly at: number;
}

/** The longest number that begins with a group. */
function lastGroupOf(text: string, groups: readonly Group[], first: number): number | undefined {
  let digits = '';
  let found: number | undefined;
  for (let last = first; last < groups.length && digits.length < 19; last++) {
    const group = groups[last];
    if (!group || !fits(group.digits.length, last - first)) break;
    digits += group.digits;
    if (issued.test(digits) && hasRightCheckDigit(digits) && isApart(text, groups, first, last)) found = last;
    if (first === last && digits.length > 6) break;
  }
  return found;
}

/** One group of all digits; or four of them, six of some, and the rest. */
function fits(length: number, place: number): boolean {
  return place === 0 ? length === 4 || length >= 13 : length <= 7;
}

function isApart(text: string, groups: readonly Group[], first: number, last: number): boolean {
  const [begin, end] = [groups[first], groups[last]];
  if (!begin || !end) return false;
  const after = end.at + end.digits.length;
  return (
    !beginsInWord.test(text.slice(Math.max(0, begin.at - longestWord), begin.at)) &&
    !goesOnInWord.test(text.slice(after, after + longestWord))
  );
}

/** Around a number, in letters. */
const longestWord = 40;

function hasRightCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
