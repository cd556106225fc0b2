import { it } from 'vitest';
import { type Outage, outlives } from './temporal-outage.js';

/** Past every deadline of the engine: calls, leases of events, workflow tasks, polls of the SDK, reconciliation. */
const minutes = 4;

it.each(['frozen', 'killed'] satisfies Outage[])(
  `case 19: webhooks get 2xx and requests 503 while Temporal is %s for ${minutes} minutes, and the backlog drains after`,
  async (outage) => {
    await outlives(outage, minutes * 60_000);
  },
  (minutes + 10) * 60_000,
);
