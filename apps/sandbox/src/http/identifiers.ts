import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** No I, O, U or L, so that an id can be read aloud. 32 characters, so that a byte maps onto them evenly. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The format of every id of this service; anything else in a path cannot name a resource. */
export const IDENTIFIER = /^[A-Za-z0-9-]{1,64}$/;

export const newPaymentId = () => `PAY-${randomSigns(24)}`;
export const newApprovalToken = () => `EC-${randomSigns(17)}`;
export const newPlanId = () => `P-${randomSigns(24)}`;
export const newDefinitionId = () => `PD-${randomSigns(24)}`;
export const newChargeModelId = () => `CHM-${randomSigns(24)}`;
export const newAgreementId = () => `I-${randomSigns(12)}`;
export const newEventId = () => `WH-${randomSigns(17)}-${randomSigns(17)}`;
export const newAppId = () => `APP-${randomSigns(17)}`;
export const newAccountId = () => randomSigns(13);
/** Authorizations, captures, sales and webhooks. */
export const newResourceId = () => randomSigns(17);
/** One for each call: `randomUUID` uses a pool, `randomBytes` does not. */
export const newDebugId = () => randomUUID().replaceAll('-', '').slice(0, 13);

/** The same name always gives the same id, in upper or lower case. */
export function accountIdOf(name: string): string {
  return signsOf(createHash('sha256').update(name.toLowerCase()).digest().subarray(0, 13));
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function randomSigns(length: number): string {
  return signsOf(randomBytes(length));
}

function signsOf(bytes: Uint8Array): string {
  let signs = '';
  for (const byte of bytes) signs += SIGNS.charAt(byte & 31);
  return signs;
}
