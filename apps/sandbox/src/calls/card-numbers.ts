const MASK = '[card number]';
const FEWEST_DIGITS = 12;
const MOST_DIGITS = 19;

/** What people write between the groups of a number, including Unicode's dashes and no-break space. */
const GAP = '[ \\t\\u00a0+.,/_\\u2010-\\u2015-]';
/**
 * Digits, in one piece or with up to three characters between two of them, in any context; or a UUID, whose digits are
 * no card. Every repetition ends where the next character alone decides, so that it is linear to scan.
 */
const DIGITS_OR_UUID = new RegExp(
  `([\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12})|\\d(?:${GAP}{0,3}\\d){${FEWEST_DIGITS - 1},}`,
  'gi',
);

/** Replaces everything that can be a payment card's number: a run of digits with one in it is replaced completely. */
export function maskCardNumbers(text: string): string {
  return text.replaceAll(DIGITS_OR_UUID, (run: string, uuid: string | undefined) =>
    uuid === undefined && holdsCard(run) ? MASK : run,
  );
}

/**
 * A number in groups begins and ends with a group, which excludes lists of small numbers; one in one piece may have
 * other digits right before and after it.
 */
function holdsCard(run: string): boolean {
  const groups = run.match(/\d+/g) ?? [];
  const digits = groups.join('');
  const isCard = cardFinder(digits);
  const starts: number[] = [];
  let place = 0;
  for (const group of groups) {
    starts.push(place);
    place += group.length;
    // Backwards from the end of this group, over the groups that a number can span.
    for (let from = starts.length - 1; from >= 0; from -= 1) {
      const start = starts[from] ?? 0;
      if (place - start > MOST_DIGITS) break;
      if (isCard(start, place - start)) return true;
    }
    if (group.length > FEWEST_DIGITS && holdsCardInside(isCard, place - group.length, place)) return true;
  }
  return false;
}

function holdsCardInside(isCard: IsCard, first: number, end: number): boolean {
  for (let start = first; start + FEWEST_DIGITS <= end; start += 1)
    for (let length = FEWEST_DIGITS; length <= Math.min(MOST_DIGITS, end - start); length += 1)
      if (isCard(start, length)) return true;
  return false;
}

type IsCard = (start: number, length: number) => boolean;

/** Answers in a fixed number of steps for any part of `digits`, from sums over all digits before each position. */
function cardFinder(digits: string): IsCard {
  // By the parity of the check digit's position: even, odd.
  const sums: [number[], number[]] = [[0], [0]];
  for (let place = 0; place < digits.length; place += 1)
    for (const parity of [0, 1] as const) {
      const digit = digits.charCodeAt(place) - 48;
      const doubled = place % 2 === parity ? digit : digit * 2;
      sums[parity].push((sums[parity][place] ?? 0) + (doubled > 9 ? doubled - 9 : doubled));
    }
  return (start, length) => {
    if (length < FEWEST_DIGITS || !canStartCard(digits, start, length)) return false;
    const end = start + length;
    const upTo = sums[end % 2 === 1 ? 0 : 1];
    // The check digit of ISO/IEC 7812 (Luhn).
    return ((upTo[end] ?? 0) - (upTo[start] ?? 0)) % 10 === 0;
  };
}

/**
 * Card numbers begin with 3 to 6, or 22 to 27; those of 12 digits with 5 or 6. Without this, every tenth time stamp in
 * milliseconds would count as a card.
 */
function canStartCard(digits: string, start: number, length: number): boolean {
  const first = digits.charAt(start);
  if (length === FEWEST_DIGITS) return first === '5' || first === '6';
  return first === '2' ? /[2-7]/.test(digits.charAt(start + 1)) : first >= '3' && first <= '6';
}
