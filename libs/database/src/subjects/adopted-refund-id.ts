import { createHash } from 'node:crypto';
import { prefixOf } from '#workflows/contract';
import type { Owner } from '../schema/owner.js';

/**
 * Our id of a refund that somebody else has made: whoever tells of it comes to the same one.
 *
 * @param nameElsewhere the provider's id of it; of a reversal, that of the event which told of it.
 */
export function adoptedRefundId({ environment, application }: Owner, nameElsewhere: string): string {
  const digest = createHash('sha256').update(`${environment}/${application}/${nameElsewhere}`).digest('hex');
  return `${prefixOf('refund')}${digest.slice(0, 36)}`;
}
