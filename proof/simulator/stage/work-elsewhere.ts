import { Refused } from '../provider/exchange.js';
import type { Stage } from './stage.js';

/** An employee of the shop acts on the provider's own pages; sometimes events arrive between two of these actions. */
export async function workElsewhere(
  stage: Stage,
  { paymentId }: { readonly paymentId: string },
): Promise<void> {
  const { draws, clock } = stage.world;
  const hand = byHand(stage, paymentId);
  const pause = async () => await clock.sleep(draws.spread('next by hand', 5, 60_000));
  switch (draws.pick('by hand', ['captured', 'in parts', 'part and voided', 'part and closed', 'voided'])) {
    case 'captured':
      return hand.capture('all', true);
    case 'in parts':
      hand.capture(4_000, false);
      await pause();
      return hand.capture(6_000, false);
    case 'part and voided':
      hand.capture(4_000, false);
      await pause();
      return hand.void();
    case 'part and closed':
      return hand.capture(4_000, true);
    default:
      return hand.void();
  }
}

/** A part is captured by hand while the order service ends the hold: neither knows of the other. */
export async function capturePartBeside(
  stage: Stage,
  { paymentId }: { readonly paymentId: string },
  askForEnd: () => Promise<void>,
): Promise<void> {
  const { draws, clock } = stage.world;
  const asked = askForEnd();
  await clock.sleep(draws.spread('by hand beside', 5, 1_000));
  byHand(stage, paymentId).capture(4_000, false);
  await asked;
}

/** What the provider refuses is not done, and nobody minds. */
function byHand({ world, provider }: Stage, paymentId: string) {
  const [payment] = provider.payments.of(paymentId);
  const hold = () => payment?.holds.at(-1);
  return {
    capture: (minor: number | 'all', isFinal: boolean): void => {
      const asked = minor === 'all' ? (hold()?.minor ?? 0) : minor;
      const reference = world.nextId('by hand ');
      ifAllowed(() => provider.payments.capture(hold()?.id ?? '', asked, isFinal, reference));
    },
    void: (): void => ifAllowed(() => provider.payments.void(hold()?.id ?? '')),
  };
}

function ifAllowed(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
