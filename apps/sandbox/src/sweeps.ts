import { expireAuthorizations } from './authorizations/expire-authorizations.js';
import { finishAuthorizations } from './authorizations/finish-authorizations.js';
import { runCycles } from './billing-agreements/run-cycles.js';
import { finishAgreements } from './billing-agreements/finish-agreements.js';
import { finishPayments } from './billing-agreements/finish-payments.js';
import { forgetOldCalls } from './calls/forget-old-calls.js';
import { finishCaptures } from './captures/finish-captures.js';
import { SOON_MS } from './clock/due-queries.js';
import { startRecurringTask, type RecurringTask } from './clock/recurring-task.js';
import type { SandboxContext } from './context/sandbox-context.js';
import { expirePayments } from './payments/expire-payments.js';
import { processPayouts } from './payouts/process-payouts.js';
import { finishPayoutItems } from './payouts/finish-payout-items.js';
import { finishRefunds } from './refunds/finish-refunds.js';
import { finishSales } from './sales/finish-sales.js';
import { deleteOldAnswers } from './server/idempotency.js';

/**
 * The first is the longest delay of a deadline of the service; the second that of one which another process left that has
 * ended since. Half a second is for a look that comes late itself.
 */
const DEADLINE_WAITS = { idleMs: 150, quietMs: SOON_MS - 500 };
/** The pause between two checks of a history that grows by some hundred calls a second. */
const RETENTION_INTERVAL_MS = 60_000;
const CLEANING_INTERVAL_MS = 3_600_000;

/** Starts the tasks of the clock. Deadlines are rows, so that they survive the process. */
export function startSweeps(context: SandboxContext): RecurringTask[] {
  const { logger } = context;
  return [
    startRecurringTask('authorization expiry', DEADLINE_WAITS, logger, () => expireAuthorizations(context)),
    startRecurringTask('authorization completion', DEADLINE_WAITS, logger, () =>
      finishAuthorizations(context),
    ),
    startRecurringTask('capture completion', DEADLINE_WAITS, logger, () => finishCaptures(context)),
    startRecurringTask('sale completion', DEADLINE_WAITS, logger, () => finishSales(context)),
    startRecurringTask('refund completion', DEADLINE_WAITS, logger, () => finishRefunds(context)),
    startRecurringTask('payment expiry', DEADLINE_WAITS, logger, () => expirePayments(context)),
    startRecurringTask('billing cycles', DEADLINE_WAITS, logger, () => runCycles(context)),
    startRecurringTask('agreement completion', DEADLINE_WAITS, logger, () => finishAgreements(context)),
    startRecurringTask('agreement payments', DEADLINE_WAITS, logger, () => finishPayments(context)),
    startRecurringTask('payouts', DEADLINE_WAITS, logger, () => processPayouts(context)),
    startRecurringTask('payout items', DEADLINE_WAITS, logger, () => finishPayoutItems(context)),
    startRecurringTask('call retention', { idleMs: RETENTION_INTERVAL_MS }, logger, async () => {
      const isMore = await forgetOldCalls(context.database, context.callRetention, new Date());
      return isMore ? 'work' : 'nothing';
    }),
    startRecurringTask('cleaning', { idleMs: CLEANING_INTERVAL_MS }, logger, async () => {
      const now = new Date();
      await context.tokens.deleteExpired(now);
      await deleteOldAnswers(context, now);
      return 'nothing';
    }),
  ];
}
