import type { ProviderApplication } from '#configuration';
import type { Database } from '#database/connection';
import { findProviderWebhook, saveProviderWebhook, withWebhookLock } from '#database/events';
import {
  NotFoundError,
  type PaymentsClient,
  PaymentsError,
  UnknownOutcomeError,
  type Webhook,
} from '#payments-client';

type Webhooks = PaymentsClient['webhooks'];

/** Every type, those included that the provider will add. */
const everyEventType = ['*'];

export type WebhookRepair =
  | 'unchanged'
  | 'repaired'
  | 'created'
  /** The account's 10 webhooks are all somebody else's. */
  | 'noRoom'
  /** Another worker is at it. */
  | 'busy';

/**
 * Makes sure that the provider has exactly one webhook of this engine for the application, at today's address and for
 * every event type, and notes its id: deliveries are signed over it. Of the account's 10 webhooks (specification 8) it
 * uses one; those of others are never touched. Safe from several workers at once, and again and again.
 *
 * @param publicUrl origin under which the provider reaches the API.
 * @throws {PaymentsError} when the provider is away, or its answer leaves open what it did: the next repair sees.
 */
export async function repairWebhook(
  db: Database,
  webhooks: Webhooks,
  application: ProviderApplication,
  publicUrl: string,
): Promise<WebhookRepair> {
  const prefix = new URL(`/webhooks/${application.environment}/${application.application}/`, publicUrl).href;
  const wanted = { url: prefix + application.webhookSecret, eventTypes: everyEventType };
  const repaired = await withWebhookLock(db, application, async (trx) => {
    const recorded = (await findProviderWebhook(trx, application))?.webhook_id;
    const ours = (await webhooks.list()).filter(({ id, url }) => id === recorded || url.startsWith(prefix));
    const result = await keepOnly(webhooks, choose(ours, recorded, wanted.url), ours, wanted);
    await saveProviderWebhook(trx, {
      ...application,
      webhookId: result?.webhook.id ?? null,
      // Without the secret.
      url: prefix,
      problem: result ? null : 'The account has no room for another webhook.',
    });
    return result?.repair ?? 'noRoom';
  });
  return repaired ?? 'busy';
}

/** The one that is on record keeps its id, over which deliveries on their way are signed; the next best is in place. */
function choose(
  ours: readonly Webhook[],
  recorded: string | null | undefined,
  url: string,
): Webhook | undefined {
  return ours.find(({ id }) => id === recorded) ?? ours.find((webhook) => webhook.url === url) ?? ours[0];
}

async function keepOnly(
  webhooks: Webhooks,
  kept: Webhook | undefined,
  ours: readonly Webhook[],
  wanted: Pick<Webhook, 'url' | 'eventTypes'>,
): Promise<{ readonly webhook: Webhook; readonly repair: WebhookRepair } | undefined> {
  const outdated = ours.filter((webhook) => webhook !== kept);
  // First, for one of them may hold the address.
  for (const { id } of outdated) await remove(webhooks, id);
  if (!kept) {
    const webhook = await create(webhooks, wanted);
    return webhook && { webhook, repair: 'created' };
  }
  const isRight = kept.url === wanted.url && isSameSet(kept.eventTypes, wanted.eventTypes);
  if (!isRight) await change(webhooks, kept.id, wanted);
  return { webhook: kept, repair: isRight && outdated.length === 0 ? 'unchanged' : 'repaired' };
}

/** @returns undefined when the account has no room. */
async function create(
  webhooks: Webhooks,
  wanted: Pick<Webhook, 'url' | 'eventTypes'>,
): Promise<Webhook | undefined> {
  try {
    return await webhooks.create(wanted);
  } catch (error) {
    if (isRefusal(error, 'WEBHOOK_NUMBER_LIMIT_EXCEEDED')) return undefined;
    // Created after all, its answer lost. If not yet, the address keeps a second one out, now and later.
    const mayStand = error instanceof UnknownOutcomeError || isRefusal(error, 'WEBHOOK_URL_ALREADY_EXISTS');
    const standing = mayStand ? (await webhooks.list()).find(({ url }) => url === wanted.url) : undefined;
    if (!standing) throw error;
    return standing;
  }
}

async function change(
  webhooks: Webhooks,
  id: string,
  wanted: Pick<Webhook, 'url' | 'eventTypes'>,
): Promise<void> {
  try {
    await webhooks.update(id, wanted);
  } catch (error) {
    // An earlier try has done it, and its answer was lost.
    if (!isRefusal(error, 'WEBHOOK_PATCH_REQUEST_NO_CHANGE')) throw error;
  }
}

async function remove(webhooks: Webhooks, id: string): Promise<void> {
  try {
    await webhooks.delete(id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof PaymentsError && error.code === code;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
