import { findOpenResends, finishResend, type ProviderResend } from '#database/events';
import { NotFoundError, RejectedError } from '#payments-client';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import type { MaintenanceContext } from '../steps/activities/context.js';

const atOnce = 20;
/** Until then a provider that cannot be reached is asked again by the next sweep. */
const givenUpAfterMs = 600_000;

/** Asks the provider to deliver events again, as operators have requested. Another delivery of an event is harmless. */
export async function askForResends(context: MaintenanceContext): Promise<void> {
  const { db, reconciliation } = context;
  const open = await findOpenResends(db, reconciliation.applications, atOnce);
  // At the same time: a provider that hangs holds up the sweep by one limit of a call only.
  await Promise.all(open.map((resend) => ask(context, resend)));
}

async function ask({ db, providers }: MaintenanceContext, resend: ProviderResend): Promise<void> {
  try {
    await providers.for(resend).events.resend(resend.event_id, { signal: lookLimit() });
    await finishResend(db, resend.id, null);
  } catch (error) {
    if (!isProviderTrouble(error)) throw error;
    const isRefused = error instanceof RejectedError || error instanceof NotFoundError;
    if (isRefused) return await finishResend(db, resend.id, 'The provider refused it.');
    if (Date.now() - resend.requested_at.getTime() > givenUpAfterMs)
      await finishResend(db, resend.id, 'The provider could not be reached.');
  }
}
