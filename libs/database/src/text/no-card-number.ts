/** Recognizes digits that are not a card number, by their form and their surroundings. */

const time = String.raw`[0-2]?\d:[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?`;
const year = String.raw`(?:19|20)\d\d`;

const otherThings = [
  // A UUID.
  String.raw`(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z])`,
  // An instant: by year, as machines write it, or by day.
  String.raw`(?<!\d)${year}([-./])[01]\d\1[0-3]\d[T ]${time}(?:Z|[+-]\d\d(?::?\d\d)?)?(?!\d)`,
  String.raw`(?<!\d)[0-3]?\d([-./])[01]?\d\2${year},? ${time}(?!\d)`,
  // A telephone number, with at most fifteen digits. A plus directly after a digit is an escaped space.
  String.raw`(?<!\d\0{0,24})\+\d(?:[ ()./\u00a0-]{0,3}\d){6,14}(?![ ()./\u00a0-]{0,3}\d)`,
  // The version at the end of a message's name.
  String.raw`(?<=payer-approved:\w{12,64}):\d{1,4}(?!\d)`,
];
const others = new RegExp(otherThings.join('|'), 'gi');

/** The text without the digits of other things; the positions of characters do not change. */
export function maskNonCardNumbers(text: string): string {
  return text.replaceAll(others, (thing) => 'x'.repeat(thing.length));
}

/**
 * The number is part of an id if a mixed word of letters and digits precedes or follows. `PAN4111…` and `…1111cvv123`
 * are not ids.
 */
const beginsInWord = /\d(?:_*\p{L})+_*$/u;
const beginsAfterWord = /(?:card|pan|visa|amex|number|nr)_*$/i;
const goesOnInWord = /^(?:_*\p{L})+_*\d/u;
const endsBeforeWord = /^_*(?:exp|cvv|cvc|csc|cid|ccv|pin|valid|card)/i;

/** The integer part of a decimal number. */
const beginsInFraction = /(?:^|[\s("'=:[])-?\d{1,6}\.$/;
/** The decimals of an amount. `.1229` and `.12/29` are expiry dates of a card. */
const goesOnInFraction = /^[.,]\d{1,2}(?![^\p{L}\p{N}]{0,3}\d)/u;

/** Several amounts, one after the other. */
const amounts = /^\d{1,6}\.\d\d(?:[^\p{L}\p{N}.]{1,4}\d{1,6}\.\d\d)+$/u;
const wholeOfAmount = /(?<![\d.])\d{1,6}\.$/;
const centsOfAmount = /^\.\d\d(?!\d)/;

/** The number of characters to check on each side of a number. */
const surroundings = 40;

/** True for digits that belong to a longer word or number, by the characters around them. */
export function isPartOfOther(text: string, start: number, end: number): boolean {
  const number = text.slice(start, end);
  const before = text.slice(Math.max(0, start - surroundings), start);
  const after = text.slice(end, end + surroundings);
  if (beginsInWord.test(before) && !beginsAfterWord.test(before)) return true;
  if (goesOnInWord.test(after) && !endsBeforeWord.test(after)) return true;
  // Grouped digits are not a decimal number.
  if (/^\d+$/.test(number)) return beginsInFraction.test(before) || goesOnInFraction.test(after);
  const list = (wholeOfAmount.exec(before)?.[0] ?? '') + number + (centsOfAmount.exec(after)?.[0] ?? '');
  return amounts.test(list);
}
