import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { expectMovements, ofPayment } from './provider-books.js';
import { withSandboxSettings } from './sandbox-settings.js';

/**
 * The provider's day: 29 of them pass in under a minute, and one is long enough for a slow machine to do in it what
 * falls due. Before money moves the engine has its cause written down (docs/decisions/0005), for which a Temporal server
 * takes up to a second.
 */
const shortestDayMs = 1_600;

/** Much later than the window's end, so that a demo that fails shows the payment's state. */
const endsWithin = (dayLengthMs: number): number => 45 * dayLengthMs + 180_000;

/** What the policies do with a hold that nobody acts on; its timeline has other lines, too. */
const milestones = [
  'honourPeriodNearedEnd',
  'honourPeriodEnded',
  'authorizationRenewed',
  'captureWindowNearedEnd',
  'settlementCameDue',
  'captureAnswered',
];

/**
 * The 29 days of a hold that nobody captures: warnings, the funds reauthorized once they are not guaranteed any more, and
 * in the end the policy's capture.
 */
export async function playExpiry(context: DemoContext): Promise<PlayedLifecycle> {
  const { dayLengthMs = shortestDayMs } = context;
  const settings = { dayLengthMs, reauthorizationId: 'new', reauthorizationTimes: 'many' };
  context.tell(
    'provider',
    `makes its days ${dayLengthMs / 1_000} s long, 29 of which are the capture window`,
  );
  return await withSandboxSettings(context, settings, () => live(context, endsWithin(dayLengthMs)));
}

async function live(context: DemoContext, withinMs: number): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const id = await orderService.orderAndApprove({
    intent: 'authorize',
    amount: { value: '100.00', currency: 'USD' },
    // Once: a reauthorization that came due just before the last day would take of the little time that such a day has.
    honourPolicy: { action: 'warn', reauthorize: 'once' },
    expiryPolicy: { action: 'capture' },
  });
  const ends = ['captured', 'voided', 'expired', 'declined'];
  const { state } = await orderService.until(id, ends, { withinMs });
  const timeline = await orderService.timeline(id);
  for (const { event, to, at } of timeline) context.tell('timeline', `${at}  ${event} → ${to}`);
  if (state !== 'captured') throw new Failure(`The hold of ${id} should be captured, but is ${state}.`);
  const missing = milestones.filter((milestone) => !timeline.some(({ event }) => event === milestone));
  if (missing.length > 0) throw new Failure(`The timeline of ${id} lacks ${missing.join(', ')}.`);
  const times = timeline.filter(({ event }) => event === 'authorizationRenewed').length;
  // Reauthorized: what was held goes back, and the same is held, at one instant.
  const reauthorizations = Array.from({ length: times }, () => ['release 10000', 'hold 10000']);
  await expectMovements(context, ofPayment(id), ['hold 10000', ...reauthorizations.flat(), 'capture 10000']);
  context.tell(
    'engine',
    `reauthorized the funds ${times === 1 ? 'once' : `${times} times`}, then captured them`,
  );
  return { id, state };
}
