/**
 * Normalizes the digits of a text: digits of every script become 0 to 9, and escapes become their characters. Positions
 * do not change: shorter results are filled with NUL.
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
/**
 * Percent escapes of one character each; characters beyond ASCII take several octets. Bounded, because the texts come
 * from outside.
 */
const percentEscapes = /\0{0,64}%[0-7][0-9a-f]|(?:\0{0,64}%[89a-f][0-9a-f]){1,4}/gi;

/** Resolves the escaped percent signs of a URL inside a URL. */
function lastPercent(escapes: string): string {
  return `${'\0'.repeat(escapes.length - 1)}%`;
}

function octets(escapes: string): string {
  const decoded = Buffer.from(escapes.replaceAll(/[\0%]/g, ''), 'hex').toString('utf8');
  return inPlaceOf(escapes, decoded);
}

/** Resolves JSON escapes, also nested ones. */
function character(escape: string): string {
  const [, code] = /u(.{4})$/i.exec(escape) ?? [];
  return inPlaceOf(escape, code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)));
}

function digit(foreign: string): string {
  return inPlaceOf(foreign, valueOf(foreign));
}

/**
 * A script's digits are ten consecutive code points that start at …0 or …6. Mathematical digits are normalized first.
 */
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
