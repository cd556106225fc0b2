/** How much goes back: fifths of the payment, or all that is left of what it goes back from. */
export type Share = 1 | 2 | 3 | 4 | 'all';

/** Of the money that was collected at once; or of one of several captures, counted from 0, by its name. */
export interface Wanted {
  readonly share: Share;
  readonly part?: 0 | 1 | 2;
}

export type Step =
  | ({ readonly ask: 'refund' } & Wanted)
  /** Two order services, or a double click under two keys. */
  | { readonly ask: 'at once'; readonly wanted: readonly Wanted[] }
  /** The engine must refuse it itself: too large an amount, or several captures and no `captureId`. */
  | ({ readonly ask: 'invalid refund' } & Wanted)
  /** The provider's dashboard. */
  | ({ readonly ask: 'elsewhere' } & Wanted)
  /** A chargeback, which the order service must see. */
  | ({ readonly ask: 'chargeback' } & Wanted)
  /** All earlier events of the payment are delivered again. */
  | { readonly ask: 'old events' }
  /** So long that the payment's run is closed. */
  | { readonly ask: 'wait' };

export interface RefundCourse {
  readonly title: string;
  readonly steps: readonly Step[];
  /** Fifths of the payment that are captured one after the other; absent: it is collected as a whole. */
  readonly parts?: readonly [1, 2, 2];
}

const refund = (share: Share, part?: Wanted['part']): Step => ({ ask: 'refund', ...wanted(share, part) });
const invalidRefund = (share: Share, part?: Wanted['part']): Step => ({
  ask: 'invalid refund',
  ...wanted(share, part),
});
const elsewhere = (share: Share, part?: Wanted['part']): Step => ({
  ask: 'elsewhere',
  ...wanted(share, part),
});
const chargeback = (share: Share, part?: Wanted['part']): Step => ({
  ask: 'chargeback',
  ...wanted(share, part),
});
const atOnce = (...all: readonly Wanted[]): Step => ({ ask: 'at once', wanted: all });
const oldEvents: Step = { ask: 'old events' };
const wait: Step = { ask: 'wait' };
const parts = [1, 2, 2] as const;

function wanted(share: Share, part: Wanted['part']): Wanted {
  return { share, ...(part !== undefined && { part }) };
}

/** What goes back, and who requests it. */
export const courses = {
  whole: { title: 'in full', steps: [refund('all')] },
  part: { title: 'in part', steps: [refund(2)] },
  twoParts: { title: 'in two parts', steps: [refund(2), refund('all')] },
  twins: { title: 'two equal parts at once', steps: [atOnce({ share: 2 }, { share: 2 })] },
  tooMuchAtOnce: {
    title: 'two parts at once of which one is too much',
    steps: [atOnce({ share: 3 }, { share: 3 })],
  },
  elsewhere: { title: 'elsewhere', steps: [elsewhere(2)] },
  both: { title: 'elsewhere, then the rest', steps: [elsewhere(1), refund(4)] },
  elsewhereLater: { title: 'elsewhere, long after the payment', steps: [wait, elsewhere(2)] },
  twiceLater: { title: 'twice elsewhere, later', steps: [elsewhere(1), wait, elsewhere(2), refund(2)] },
} as const satisfies Record<string, RefundCourse>;

export const coursesOfParts = {
  each: { title: 'of two captures by name', steps: [refund('all', 1), refund(1, 2)], parts },
  withoutName: { title: 'of a capture without its name', steps: [invalidRefund(1), refund(1, 0)], parts },
  tooMuch: {
    title: 'more than the one capture, then all of it',
    steps: [invalidRefund(2, 0), refund('all', 0)],
    parts,
  },
  atOnce: {
    title: 'of two captures at once',
    steps: [atOnce({ share: 2, part: 1 }, { share: 2, part: 2 })],
    parts,
  },
  elsewhere: {
    title: 'of one capture elsewhere, of another by name',
    steps: [wait, elsewhere(1, 1), refund('all', 2), refund(1, 1)],
    parts,
  },
} as const satisfies Record<string, RefundCourse>;

export const coursesOfBanks = {
  whole: { title: 'charged back', steps: [chargeback('all'), oldEvents, invalidRefund(1)] },
  part: { title: 'charged back in part', steps: [chargeback(2), oldEvents, invalidRefund(1)] },
  later: { title: 'charged back later', steps: [wait, chargeback('all'), oldEvents] },
  twice: { title: 'charged back in two parts', steps: [chargeback(1), chargeback('all'), oldEvents] },
  rest: {
    title: 'in part, the rest charged back',
    steps: [refund(2), chargeback('all'), oldEvents, invalidRefund(1)],
  },
  anyOrder: { title: 'in part elsewhere, the rest charged back', steps: [elsewhere(1), chargeback('all')] },
  capture: {
    title: 'one of three captures charged back',
    steps: [chargeback('all', 1), oldEvents, invalidRefund(1, 1), refund(1, 2)],
    parts,
  },
} as const satisfies Record<string, RefundCourse>;

export type WeightedCourses = readonly (readonly [course: RefundCourse, weight: number])[];

export const coursesOfPayments: WeightedCourses = [
  [courses.whole, 20],
  [courses.part, 15],
  [courses.twoParts, 20],
  [courses.twins, 15],
  [courses.tooMuchAtOnce, 10],
  [courses.elsewhere, 6],
  [courses.both, 6],
  [courses.elsewhereLater, 4],
  [courses.twiceLater, 4],
];
export const coursesOfCaptures: WeightedCourses = Object.values(coursesOfParts).map((course) => [course, 1]);
export const coursesOfChargebacks: WeightedCourses = Object.values(coursesOfBanks).map((course) => [
  course,
  1,
]);

export function countSteps({ steps }: RefundCourse, asked: Step['ask']): number {
  return steps.filter(({ ask }) => ask === asked).length;
}
