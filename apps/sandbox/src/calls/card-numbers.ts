const MASK = '[card number]';
const FEWEST_DIGITS = 13;
const MOST_DIGITS = 19;

/**
 * Digits in one piece, wherever they stand; and digits in groups, where no letter or further group touches them, so that
 * the groups of a UUID are left alone.
 */
const DIGITS = /\d{13,}/g;
const GROUPED_DIGITS = /(?<![\w-])\d(?:[ +-]?\d){12,}(?![\w-])/g;

/** Replaces whatever can be a payment card's number: a run of digits that holds one is replaced whole. */
export function maskCardNumbers(text: string): string {
  return text.replaceAll(GROUPED_DIGITS, maskRun).replaceAll(DIGITS, maskRun);
}

function maskRun(run: string): string {
  const digits = run.replaceAll(/\D/g, '');
  for (let start = 0; start + FEWEST_DIGITS <= digits.length; start += 1) {
    if (!canStartCard(digits, start)) continue;
    const longest = Math.min(MOST_DIGITS, digits.length - start);
    for (let length = FEWEST_DIGITS; length <= longest; length += 1)
      if (hasCheckDigit(digits, start, length)) return MASK;
  }
  return run;
}

/** Cards begin with 3 to 6, or 22 to 27. Without this, every tenth time stamp in milliseconds would be a card. */
function canStartCard(digits: string, start: number): boolean {
  const first = digits.charAt(start);
  return first === '2' ? /[2-7]/.test(digits.charAt(start + 1)) : first >= '3' && first <= '6';
}

/** The check digit of ISO/IEC 7812 (Luhn). */
function hasCheckDigit(digits: string, start: number, length: number): boolean {
  let sum = 0;
  for (let place = 0; place < length; place += 1) {
    const digit = digits.charCodeAt(start + length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
