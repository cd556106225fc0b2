import type { SubscriptionIdentity } from '#workflows/contract';
import type { SubscriptionState, SubscriptionStatus } from '#workflows/lifecycle/subscription';
import { type NewCommand, acceptWith } from '../commands/command-rows.js';
import type { Database } from '../connection/database.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import type { CommandRow, Metadata, SubscriptionRow } from '../schema/schema.js';
import { type Shown, shownVersionOf } from '../tables/shown-version.js';
import { storableJson } from '../text/storable-text.js';

/** A subscription with the version that callers see. */
export type SubscriptionView = Shown<SubscriptionRow>;

export interface NewSubscription {
  readonly planId: string;
  readonly name: string;
  readonly description: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly metadata?: Metadata | undefined;
  readonly state: SubscriptionState;
}

/** Commits the order of a subscription and its row together. */
export async function acceptSubscription(
  db: Database,
  command: NewCommand,
  subscription: NewSubscription,
): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
  const row = db.insertInto('subscriptions').values({
    id: command.subjectId,
    environment: command.environment,
    application: command.application,
    plan_id: subscription.planId,
    name: subscription.name,
    description: subscription.description,
    return_url: subscription.returnUrl,
    cancel_url: subscription.cancelUrl,
    metadata: storableJson(subscription.metadata ?? {}),
    status: subscription.state.status,
    state: storableJson(subscription.state),
    version: 0,
  });
  return await acceptWith(db, command, [row]);
}

export async function findSubscription(
  db: Database,
  { environment, application, subscriptionId }: SubscriptionIdentity,
): Promise<SubscriptionView | undefined> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .select(shownVersionOf('subscriptions'))
    .where('id', '=', subscriptionId)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

/** For the payer routes, which know only the id: ids are unguessable and unique across applications. */
export async function findSubscriptionById(
  db: Database,
  subscriptionId: string,
): Promise<SubscriptionRow | undefined> {
  return await db.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId).executeTakeFirst();
}

export interface SubscriptionFilter extends SubjectFilter<SubscriptionStatus> {
  readonly planId?: string | undefined;
}

export async function listSubscriptions(
  db: Database,
  filter: SubscriptionFilter,
): Promise<SubscriptionView[]> {
  const { planId } = filter;
  const rows = db.selectFrom('subscriptions').selectAll().select(shownVersionOf('subscriptions'));
  return await subjectsOf(planId === undefined ? rows : rows.where('plan_id', '=', planId), filter);
}
