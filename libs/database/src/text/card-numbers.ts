import { isPartOfOther, maskNonCardNumbers } from './no-card-number.js';
import { plainDigits } from './plain-digits.js';

/**
 * Payment card numbers in texts. A number counts as a card number if it has the prefix and length of an issuer, a
 * correct check digit (Luhn), and is not part of a longer mix of letters and digits. Grouping and separators do not
 * matter. Ids, instants and amounts of this engine never match, and a random number of sixteen digits rarely does.
 */

/** Prefixes and lengths: Visa; Mastercard; American Express; Diners; JCB; Discover; UnionPay; Mir; Maestro; RuPay. */
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

/** A cheap pre-check that nearly no text passes. An instant in milliseconds begins with another digit. */
const suspicious = /(?<![0-9])[2-6](?:[^\p{L}\p{N}]{0,64}[0-9]){12}/u;

const fewestDigits = 13;
const mostDigits = 19;

const stead = '[card number]';

interface Place {
  readonly start: number;
  readonly end: number;
}

export function hasCardNumber(text: string): boolean {
  for (const _place of placesIn(text)) return true;
  return false;
}

/** A cheap pre-check: false for nearly every text. */
export function mayHoldCardNumber(text: string): boolean {
  return suspicious.test(plainDigits(text));
}

/** The text with a placeholder for each card number. */
export function withoutCardNumbers(text: string): string {
  const parts: string[] = [];
  let rest = 0;
  for (const { start, end } of together(placesIn(text))) {
    parts.push(text.slice(rest, start), stead);
    rest = end;
  }
  return rest === 0 ? text : parts.join('') + text.slice(rest);
}

/** Merges overlapping places. */
function* together(places: Iterable<Place>): Generator<Place> {
  let open: Place | undefined;
  for (const place of places) {
    if (open && place.start < open.end) {
      open = { start: Math.min(open.start, place.start), end: place.end };
      continue;
    }
    if (open) yield open;
    open = place;
  }
  if (open) yield open;
}

/** Digits without anything between them. */
interface Group extends Place {
  readonly digits: string;
  /** True if the group is a number of its own, such as beside a date or a code. */
  isNumber: boolean;
}

/** In the order of their ends. */
function* placesIn(text: string): Generator<Place> {
  const plain = plainDigits(text);
  if (!suspicious.test(plain)) return;
  const open = maskNonCardNumbers(plain);
  // Limited to the groups that one number can have, so that the time grows linearly with the text.
  let groups: Group[] = [];
  for (const { 0: digits, index: start } of open.matchAll(/[0-9]+/g)) {
    const last = groups.at(-1);
    if (last && !isBetweenGroups(open, last.end, start)) groups = [];
    groups.push({ digits, start, end: start + digits.length, isNumber: false });
    if (groups.length > mostDigits) groups.shift();
    const place = longestNumber(open, groups);
    if (place) yield place;
  }
}

/** True for separators: a few visible characters, and any number of invisible ones. */
function isBetweenGroups(text: string, end: number, start: number): boolean {
  if (start - end > 64) return false;
  const between = text.slice(end, start);
  const seen = between.length <= 4 ? between : between.replaceAll(/[\0\p{Cf}\p{M}]/gu, '');
  return seen.length <= 4 && !/[\p{L}\p{N}]/u.test(seen);
}

/** The longest number that ends with the last of the groups. */
function longestNumber(text: string, groups: readonly Group[]): Place | undefined {
  const last = groups.at(-1);
  let found: Place | undefined;
  let digits = '';
  let sum = 0;
  for (let first = groups.length - 1; first >= 0; first--) {
    const group = groups[first];
    if (!group || !last || group.isNumber || digits.length + group.digits.length > mostDigits) break;
    sum += checkSum(group.digits, digits.length);
    digits = group.digits + digits;
    if (digits.length < fewestDigits || sum % 10 !== 0 || !issued.test(digits)) continue;
    if (isPartOfOther(text, group.start, last.end)) continue;
    found = { start: group.start, end: last.end };
    if (group === last) last.isNumber = true;
  }
  return found;
}

/** The Luhn sum of digits that are followed by `following` others. */
function checkSum(digits: string, following: number): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = (i + following) % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum;
}
