/**
 * A text as somebody reads it who looks for digits: digits of every script as 0 to 9, escapes as what they stand for.
 * Each sign stays in its place: what became shorter is filled up with NUL, which nobody sees.
 */
export function plainDigits(text: string): string {
  let plain = text;
  if (plain.includes('%'))
    plain = plain.replaceAll(/%(?:25){1,9}(?=[0-9a-f]{2})/gi, lastPercent).replaceAll(percentEscapes, octets);
  if (plain.includes('\\')) plain = plain.replaceAll(/\\{1,16}(?:u[0-9a-f]{4}|[bfnrt])/gi, character);
  return foreignDigit.test(plain) ? plain.replaceAll(foreignDigits, digit) : plain;
}

const foreignDigit = /(?![0-9])\p{Nd}/u;
const foreignDigits = /(?![0-9])\p{Nd}/gu;
/** One sign each: what is no ASCII takes several octets. Bounded, as whatever is searched for in foreign texts. */
const percentEscapes = /\0{0,64}%[0-7][0-9a-f]|(?:\0{0,64}%[89a-f][0-9a-f]){1,4}/gi;

/** Of an address inside an address. */
function lastPercent(escapes: string): string {
  return `${'\0'.repeat(escapes.length - 1)}%`;
}

function octets(escapes: string): string {
  const decoded = Buffer.from(escapes.replaceAll(/[\0%]/g, ''), 'hex').toString('utf8');
  return inPlaceOf(escapes, decoded);
}

/** JSON's, in JSON perhaps. */
function character(escape: string): string {
  const [, code] = /u(.{4})$/i.exec(escape) ?? [];
  return inPlaceOf(escape, code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)));
}

function digit(foreign: string): string {
  return inPlaceOf(foreign, valueOf(foreign));
}

/** The digits of a script are ten in a row; but for the ones of mathematics, which have ordinary forms, 0 is …0 or …6. */
function valueOf(foreign: string): string {
  const ordinary = foreign.normalize('NFKC');
  if (/^[0-9]$/.test(ordinary)) return ordinary;
  const code = foreign.codePointAt(0) ?? 0;
  const row = code - (code % 16);
  const zero = foreignDigit.test(String.fromCodePoint(row)) ? row : row + 6;
  return String((code - zero) % 10);
}

function inPlaceOf(original: string, read: string): string {
  return read.padEnd(original.length, '\0').slice(0, original.length);
}
