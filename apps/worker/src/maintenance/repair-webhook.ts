import type { ProviderApplication } from '#configuration';
import type { Database } from '#database/connection';
import { findProviderWebhook, saveProviderWebhook, withWebhookLock } from '#database/events';
import {
  NotFoundError,
  type PaymentsClient,
  PaymentsError,
  RejectedError,
  UnknownOutcomeError,
  type Webhook,
} from '#payments-client';

type Webhooks = PaymentsClient['webhooks'];

/** Every event type, including future ones. */
const everyEventType = ['*'];

export type WebhookRepair =
  | 'unchanged'
  | 'repaired'
  | 'created'
  /** All 10 webhooks of the account belong to others. */
  | 'noRoom'
  /** Another worker is repairing it. */
  | 'busy';

/** What became of our webhook, which is absent if there is none. */
interface Kept {
  readonly webhook?: Pick<Webhook, 'id'> | undefined;
  readonly repair: Exclude<WebhookRepair, 'busy'>;
}

/** The webhook stays as it was. */
interface Refused {
  readonly webhook?: Pick<Webhook, 'id'> | undefined;
  readonly refusal: RejectedError;
}

/**
 * Makes sure that the provider has exactly one webhook of this engine for the application, with the current address and
 * every event type, and stores its id, which the signatures of deliveries cover. It uses one of the account's 10
 * webhooks (specification 8) and never changes those of others. Several workers can run it at the same time, and
 * repeatedly.
 *
 * @param publicUrl address under which the provider reaches the API; it may have a path.
 * @throws {RejectedError} when the provider refuses the webhook, as an address that it cannot reach; that is recorded.
 * @throws {PaymentsError} when the provider is away, or its answer does not show what it did; the next repair reads it.
 */
export async function repairWebhook(
  db: Database,
  webhooks: Webhooks,
  application: ProviderApplication,
  publicUrl: string,
): Promise<WebhookRepair> {
  const prefix = new URL(`${publicUrl}/webhooks/${application.environment}/${application.application}/`).href;
  const wanted = { url: prefix + application.webhookSecret, eventTypes: everyEventType };
  const repaired = await withWebhookLock(db, application, async (trx) => {
    const recorded = (await findProviderWebhook(trx, application))?.webhook_id;
    const ours = (await webhooks.list()).filter(({ id, url }) => id === recorded || url.startsWith(prefix));
    const kept = choose(ours, recorded, wanted.url);
    const result = await keepOnly(webhooks, kept, ours, wanted).catch((error: unknown): Refused => {
      if (error instanceof RejectedError) return { webhook: kept, refusal: error };
      throw error;
    });
    await saveProviderWebhook(trx, {
      ...application,
      webhookId: result.webhook?.id ?? null,
      // The address without the secret.
      url: prefix,
      problem: problemOf(result),
    });
    return result;
  });
  if (repaired && 'refusal' in repaired) throw repaired.refusal;
  return repaired?.repair ?? 'busy';
}

function problemOf(result: Kept | Refused): string | null {
  if ('refusal' in result) return `The provider refuses our webhook (${result.refusal.code ?? 'no code'}).`;
  return result.repair === 'noRoom' ? 'The account has no room for another webhook.' : null;
}

/** Prefers the recorded webhook: deliveries under way are signed over its id. Otherwise any of ours. */
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
): Promise<Kept> {
  const outdated = ours.filter((webhook) => webhook !== kept);
  // Remove these first: one of them may have the address.
  for (const { id } of outdated) await remove(webhooks, id);
  if (!kept) {
    const webhook = await create(webhooks, wanted);
    return { webhook, repair: webhook ? 'created' : 'noRoom' };
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
    // It may have been created and the answer lost. If it is created later, the address prevents a second one.
    const mayStand = error instanceof UnknownOutcomeError || isRefusal(error, 'WEBHOOK_URL_ALREADY_EXISTS');
    const existing = mayStand ? (await webhooks.list()).find(({ url }) => url === wanted.url) : undefined;
    if (!existing) throw error;
    return existing;
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
    // An earlier call changed it, and the answer was lost.
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
