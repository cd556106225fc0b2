import { createHash } from 'node:crypto';
import { prefixOf } from '#workflows/contract';
import type { Owner } from '../schema/owner.js';

/**
 * Our id of a refund made elsewhere. It is derived, so that every report of the refund gives the same id.
 *
 * @param nameElsewhere the provider's id of the refund; for a reversal, the id of its event.
 */
export function adoptedRefundId({ environment, application }: Owner, nameElsewhere: string): string {
  const digest = createHash('sha256').update(`${environment}/${application}/${nameElsewhere}`).digest('hex');
  return `${prefixOf('refund')}${digest.slice(0, 36)}`;
}
