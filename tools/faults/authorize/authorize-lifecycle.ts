import type { Lifecycle, Story } from '../lifecycle.js';
import type { Random } from '../random.js';
import { judgeAuthorize } from './judge.js';
import { drawAuthorizePlan } from './plan.js';
import { playAuthorize, takeStock } from './play.js';
import { type AuthorizeRecord, paymentIdOf } from './record.js';

/** A payment of intent authorize, from the order to its capture, its release or its cancellation. */
export const authorizeLifecycle: Lifecycle = {
  name: 'authorize',
  draw(random: Random, orderId: string): Story {
    const plan = drawAuthorizePlan(random, orderId);
    const record: AuthorizeRecord = { commands: [], repeats: [] };
    return {
      title: `${plan.approval}; ${plan.ending}`,
      play: (cast, signal) => playAuthorize(plan, record, cast, signal),
      reference: () => paymentIdOf(record),
      takeStock: (cast, signal) => takeStock(record, cast, signal),
      judge: (movements) => judgeAuthorize(plan, record, movements),
    };
  },
};
