import type { deliveryStates } from '#database/schema';
import { Badge } from '../html/parts.js';

const tones = { delivered: 'good', pending: 'caution', failed: 'bad' } as const;

export function DeliveryState({ state }: { state: (typeof deliveryStates)[number] | undefined }) {
  return state === undefined ? <>–</> : <Badge tone={tones[state]}>{state}</Badge>;
}
