import { type ToldEvent, dispatch } from './inbox.js';
import type { Stage } from './stage.js';

/** What somebody says who knows the secret address, and can sign nothing. */
const lies: Readonly<Record<string, readonly string[]>> = {
  payment: ['created', 'approved', 'failed'],
  authorization: ['voided', 'expired', 'captured', 'authorized'],
  capture: ['completed', 'denied', 'pending', 'refunded', 'reversed'],
  sale: ['completed', 'denied', 'pending', 'refunded', 'reversed'],
  refund: ['completed', 'failed'],
  payout: ['SUCCESS', 'DENIED'],
  payout_item: ['SUCCESS', 'RETURNED', 'UNCLAIMED'],
  agreement: ['Cancelled', 'Suspended', 'Active'],
  plan: ['ACTIVE', 'INACTIVE', 'DELETED'],
};

/** Delivers the provider's events as it may: late, twice, out of order, or not at all. */
export function deliverWebhooks(stage: Stage): void {
  const { world, provider } = stage;
  const { clock, draws, faults } = world;
  provider.payouts.onEvent = (_batch, { kind, id: resourceId, state }) =>
    tell({ id: world.nextId('WH-'), eventType: `PAYMENT.PAYOUTS.${state}`, kind, resourceId, state });
  provider.agreements.onEvent = ({ kind, id: resourceId, state }) =>
    tell({ id: world.nextId('WH-'), eventType: `BILLING.${state.toUpperCase()}`, kind, resourceId, state });
  provider.payments.onEvent = (event) => tell(event);

  function tell(event: ToldEvent): void {
    const said = lies[event.kind];
    if (said && faults.strikes('webhook forged', 0.03, `an event of ${event.kind} is forged`)) {
      const state = draws.pick('lie', said);
      const id = world.nextId('WH-');
      const eventType = `${event.eventType.replace(/[A-Z]+$/, '')}${state.toUpperCase()}`;
      deliver(stage, { ...event, id, eventType, state });
    }
    const isSilent = world.coincidence === 'silent approval' && event.kind === 'payment';
    if (draws.chance('no webhook', 0.3) || isSilent) return;
    if (faults.strikes('webhook late', 0.05, `webhook ${event.eventType} comes late`)) {
      clock.after(draws.spread('webhook late', 1_000, 600_000), () => deliver(stage, event));
      return;
    }
    deliver(stage, event);
    if (faults.strikes('webhook twice', 0.05, `webhook ${event.eventType} comes twice`))
      deliver(stage, event);
  }
}

function deliver(stage: Stage, event: ToldEvent): void {
  const { clock, draws } = stage.world;
  clock.after(draws.spread('delivery', 5, 1_000), () => void dispatch(stage, event));
}

/** Says at any time anything of what is there, and of what is not, chargebacks and approvals included. */
export async function forgeWebhooks(stage: Stage): Promise<void> {
  const { clock, draws, faults } = stage.world;
  if (!draws.chance('forger', 0.2)) return;
  for (let left = draws.between('forgeries', 1, 4); left > 0; left -= 1) {
    await clock.sleep(draws.spread('forged after', 100, draws.chance('patient', 0.5) ? 86_400_000 : 60_000));
    const event = forged(stage);
    const words = `the ${event.eventType} of ${event.resourceId} in ${event.paymentId ?? 'nothing'} is forged`;
    if (faults.strikes('forgery', 0.7, words)) deliver(stage, event);
  }
}

function forged({ world, rows, provider }: Stage): ToldEvent {
  const { draws } = world;
  const kind = draws.pick('forged kind', Object.keys(lies));
  const state = draws.pick('forged state', lies[kind] ?? []);
  const known = [...provider.idsOf(kind), ...rows.resources.keys()];
  const isKnown = known.length > 0 && !draws.chance('of nothing', 0.3);
  const named = kind === 'payment' ? undefined : [...provider.payments.payments.keys()][0];
  const eventType = `PAYMENT.${kind.toUpperCase()}.${state.toUpperCase()}`;
  return {
    id: world.nextId('WH-'),
    eventType,
    kind,
    resourceId: isKnown ? draws.pick('forged of', known) : world.nextId('MADE-UP-'),
    state,
    ...(draws.chance('names a payment', 0.7) && { paymentId: named }),
    ...(kind === 'payment' && { payerId: draws.pick('forged payer', ['PAYER1', 'PAYER2']) }),
    ...(draws.chance('dated', 0.5) && { updatedAt: world.clock.now }),
  };
}
