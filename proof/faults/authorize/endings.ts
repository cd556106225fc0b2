/** How much of the hold a step asks for: fifths of it, or all that is left. */
type Share = 1 | 2 | 3 | 'all';

export type Step =
  | { readonly ask: 'capture'; readonly share: Share; readonly isFinal?: true }
  /** Of the whole hold, or of what was not captured. */
  | { readonly ask: 'void' }
  | { readonly ask: 'release' }
  /** Sent at the same moment: one of them succeeds. */
  | { readonly ask: 'at once'; readonly steps: readonly Step[] }
  /** While the provider holds it, the signals of the plan are sent. */
  | { readonly ask: 'under signals'; readonly step: Step };

/** What the order service does with a hold. */
export interface Ending {
  readonly title: string;
  readonly steps: readonly Step[];
  /** The engine captures by itself. */
  readonly isByPolicy?: true;
  readonly isCancelled?: true;
  /** The provider may deny captures; a hold whose captures are finally denied is voided. */
  readonly hasDenials?: true;
  /** The states in which the payment may end. */
  readonly states: readonly string[];
}

const capture = (share: Share): Step => ({ ask: 'capture', share });
const finalCapture = (share: Share): Step => ({ ask: 'capture', share, isFinal: true });

export const endings = {
  capture: { title: 'capture', steps: [capture('all')], states: ['captured'] },
  twoParts: { title: 'capture in two parts', steps: [capture(2), capture(3)], states: ['captured'] },
  finalPart: {
    title: 'capture a part and release the rest with it',
    steps: [finalCapture(2)],
    states: ['captured'],
  },
  partThenVoid: {
    title: 'capture a part and void the rest',
    steps: [capture(2), { ask: 'void' }],
    states: ['captured'],
  },
  byPolicy: { title: 'capture by policy', steps: [], isByPolicy: true, states: ['captured'] },
  void: { title: 'void', steps: [{ ask: 'void' }], states: ['voided'] },
  captureOrVoid: {
    title: 'capture and void at once',
    steps: [{ ask: 'at once', steps: [capture('all'), { ask: 'void' }] }],
    states: ['captured', 'voided'],
  },
  keep: { title: 'keep the hold', steps: [], states: ['authorized'] },
  cancel: { title: 'the payer cancels', steps: [], isCancelled: true, states: ['cancelled'] },
  threeParts: {
    title: 'capture in three parts',
    steps: [capture(1), capture(2), capture(2)],
    states: ['captured'],
  },
  partsThenRelease: {
    title: 'capture two parts, then release the rest',
    steps: [capture(1), capture(2), { ask: 'release' }],
    states: ['captured'],
  },
  partThenFinalPart: {
    title: 'capture a part, then a last one that releases the rest',
    steps: [capture(1), finalCapture(3)],
    states: ['captured'],
  },
  captureOrRelease: {
    title: 'capture a part, then capture the rest and release it at once',
    steps: [capture(2), { ask: 'at once', steps: [capture(3), { ask: 'release' }] }],
    states: ['captured'],
  },
  part: { title: 'capture a part and keep the rest', steps: [capture(3)], states: ['partially_captured'] },
  mostUnderSignals: {
    title: 'capture most while signals come',
    steps: [{ ask: 'under signals', step: capture(3) }],
    states: ['captured', 'partially_captured'],
  },
  partUnderSignals: {
    title: 'capture a part while signals come',
    steps: [{ ask: 'under signals', step: capture(2) }],
    states: ['partially_captured', 'captured'],
  },
  voidUnderSignals: {
    title: 'void while signals come',
    steps: [{ ask: 'under signals', step: { ask: 'void' } }],
    states: ['voided', 'captured', 'partially_captured'],
  },
} as const satisfies Record<string, Ending>;

export type WeightedEndings = readonly (readonly [ending: Ending, weight: number])[];

export const endingsOfHolds: WeightedEndings = [
  [endings.capture, 30],
  [endings.twoParts, 16],
  [endings.finalPart, 6],
  [endings.partThenVoid, 6],
  [endings.byPolicy, 14],
  [endings.void, 14],
  [endings.captureOrVoid, 6],
  [endings.keep, 4],
  [endings.cancel, 4],
];

export const endingsInParts: WeightedEndings = [
  [endings.twoParts, 20],
  [endings.threeParts, 25],
  [endings.partsThenRelease, 25],
  [endings.partThenFinalPart, 10],
  [endings.captureOrRelease, 15],
  [endings.part, 5],
];

export const endingsUnderSignals: WeightedEndings = [
  [endings.mostUnderSignals, 35],
  [endings.partUnderSignals, 40],
  [endings.voidUnderSignals, 25],
];

/** What the order service wants of a hold, as far as the provider does not deny it. */
export const endingsWithDenials: WeightedEndings = (
  [
    [endings.capture, 30],
    [endings.twoParts, 25],
    [endings.finalPart, 15],
    [endings.partThenVoid, 15],
    [endings.byPolicy, 15],
  ] as const
).map(([ending, weight]) => [{ ...ending, hasDenials: true, states: ['captured', 'voided'] }, weight]);
