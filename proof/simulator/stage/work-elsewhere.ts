import { Refused } from '../provider/exchange.js';
import type { Stage } from './stage.js';

/** An employee of the shop acts on the provider's own pages; sometimes events arrive between two of these actions. */
export async function workElsewhere(
  { world, provider }: Stage,
  { paymentId }: { readonly paymentId: string },
): Promise<void> {
  const { draws, clock } = world;
  const [payment] = provider.payments.of(paymentId);
  const hold = () => payment?.holds.at(-1);
  const capture = (minor: number, isFinal: boolean) =>
    provider.payments.capture(hold()?.id ?? '', minor, isFinal, world.nextId('by hand '));
  try {
    const pause = async () => await clock.sleep(draws.spread('next by hand', 5, 60_000));
    switch (draws.pick('by hand', ['captured', 'in parts', 'part and voided', 'part and closed', 'voided'])) {
      case 'captured':
        capture(hold()?.minor ?? 0, true);
        break;
      case 'in parts':
        capture(4_000, false);
        await pause();
        capture(6_000, false);
        break;
      case 'part and voided':
        capture(4_000, false);
        await pause();
        provider.payments.void(hold()?.id ?? '');
        break;
      case 'part and closed':
        capture(4_000, true);
        break;
      default:
        provider.payments.void(hold()?.id ?? '');
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
