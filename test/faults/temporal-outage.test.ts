import { it } from 'vitest';
import { outlives } from './temporal-outage.js';

/** A slice: `temporal-outage.long.test.ts` takes minutes, and kills Temporal as well. */
it('case 19: webhooks get 2xx and requests 503 while Temporal is frozen for 25 s, and the backlog drains after', async () => {
  await outlives('frozen', 25_000);
});
