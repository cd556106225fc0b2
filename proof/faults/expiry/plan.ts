import { type Application, variantOfShop } from '../applications.js';
import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';

/** What becomes of a hold while its days pass. */
export interface Course {
  readonly title: string;
  /** Of the order: what the engine does by itself at the end of the honour period, and before that of the window. */
  readonly policies: { readonly honourPolicy: object; readonly expiryPolicy: { readonly action: string } };
  /** Who has the funds reauthorized when they are not guaranteed any more. */
  readonly reauthorization: 'none' | 'by policy' | 'on request';
  /** What the order service does then, before the window closes. */
  readonly ask?: 'capture' | 'void';
  /** It does so only once the funds are not guaranteed any more. */
  readonly asksLate?: true;
  readonly state: 'captured' | 'voided' | 'expired';
}

const keepsTo = { action: 'none', reauthorize: 'none' } as const;
const reauthorizes = { action: 'none', reauthorize: 'once' } as const;

export const courses = {
  reauthorizedThenCaptured: {
    title: 'reauthorized by policy, then captured',
    policies: { honourPolicy: reauthorizes, expiryPolicy: { action: 'void' } },
    reauthorization: 'by policy',
    ask: 'capture',
    state: 'captured',
  },
  reauthorizedThenVoided: {
    title: 'reauthorized on request, then voided',
    policies: { honourPolicy: keepsTo, expiryPolicy: { action: 'void' } },
    reauthorization: 'on request',
    ask: 'void',
    state: 'voided',
  },
  reauthorizedUntilTheEnd: {
    title: 'reauthorized by policy, captured before the window closes',
    policies: { honourPolicy: reauthorizes, expiryPolicy: { action: 'capture' } },
    reauthorization: 'by policy',
    state: 'captured',
  },
  capturedInTime: {
    title: 'captured while the funds are guaranteed',
    policies: { honourPolicy: { action: 'capture' }, expiryPolicy: { action: 'void' } },
    reauthorization: 'none',
    state: 'captured',
  },
  capturedLate: {
    title: 'captured once the funds are not guaranteed',
    policies: { honourPolicy: keepsTo, expiryPolicy: { action: 'void' } },
    reauthorization: 'none',
    ask: 'capture',
    asksLate: true,
    state: 'captured',
  },
  voidedAtTheEnd: {
    title: 'voided before the window closes',
    policies: { honourPolicy: keepsTo, expiryPolicy: { action: 'void' } },
    reauthorization: 'none',
    state: 'voided',
  },
  expired: {
    title: 'left to expire',
    policies: { honourPolicy: keepsTo, expiryPolicy: { action: 'expire' } },
    reauthorization: 'none',
    state: 'expired',
  },
} as const satisfies Record<string, Course>;

/** In milliseconds: the funds are guaranteed for three, and the window is open for 29. */
const dayLengthMs = 3_000;
const sameId = variantOfShop('short-days', { dayLengthMs, reauthorizationId: 'same' });
const newId = variantOfShop('short-days-new-id', { dayLengthMs, reauthorizationId: 'new' });
const unreliable = variantOfShop('short-days-by-chance', { dayLengthMs, captureAfterHonour: 'by_chance' });
export const decliningByChance = unreliable.name;
export const applicationsOfExpiry: readonly Application[] = [sameId, newId, unreliable];

export interface ExpiryPlan extends PaymentPlan {
  /**
   * What is reauthorized keeps its id at the provider, or gets another one; every other late capture is declined at
   * the third.
   */
  readonly application: string;
  readonly course: Course;
}

export function drawExpiryPlan(random: Random, orderId: string): ExpiryPlan {
  return {
    ...drawPaymentPlan(random, orderId, false),
    application: random.pick(applicationsOfExpiry).name,
    course: random.weighted<Course>([
      [courses.reauthorizedThenCaptured, 20],
      [courses.reauthorizedThenVoided, 20],
      [courses.reauthorizedUntilTheEnd, 15],
      [courses.capturedInTime, 10],
      [courses.capturedLate, 15],
      [courses.voidedAtTheEnd, 10],
      [courses.expired, 10],
    ]),
  };
}
