import { expireAuthorizations } from './authorizations/expire-authorizations.js';
import { settleAuthorizations } from './authorizations/settle-authorizations.js';
import { runCycles } from './billing-agreements/run-cycles.js';
import { settleAgreements } from './billing-agreements/settle-agreements.js';
import { settlePayments } from './billing-agreements/settle-payments.js';
import { forgetOldCalls } from './calls/forget-old-calls.js';
import { settleCaptures } from './captures/settle-captures.js';
import { startRecurringTask, type RecurringTask } from './clock/recurring-task.js';
import type { SandboxContext } from './context/sandbox-context.js';
import { expirePayments } from './payments/expire-payments.js';
import { processPayouts } from './payouts/process-payouts.js';
import { settlePayoutItems } from './payouts/settle-payout-items.js';
import { settleRefunds } from './refunds/settle-refunds.js';
import { settleSales } from './sales/settle-sales.js';
import { deleteOldAnswers } from './server/idempotency.js';

/** The longest delay of a deadline of the service. */
const DEADLINE_INTERVAL_MS = 150;
/** The pause between two checks of a history that grows by some hundred calls a second. */
const RETENTION_INTERVAL_MS = 60_000;
const CLEANING_INTERVAL_MS = 3_600_000;

/** Starts the tasks of the clock. Deadlines are rows, so that they survive the process. */
export function startSweeps(context: SandboxContext): RecurringTask[] {
  const { logger } = context;
  return [
    startRecurringTask('authorization expiry', DEADLINE_INTERVAL_MS, logger, () =>
      expireAuthorizations(context),
    ),
    startRecurringTask('authorization settlement', DEADLINE_INTERVAL_MS, logger, () =>
      settleAuthorizations(context),
    ),
    startRecurringTask('capture settlement', DEADLINE_INTERVAL_MS, logger, () => settleCaptures(context)),
    startRecurringTask('sale settlement', DEADLINE_INTERVAL_MS, logger, () => settleSales(context)),
    startRecurringTask('refund settlement', DEADLINE_INTERVAL_MS, logger, () => settleRefunds(context)),
    startRecurringTask('payment expiry', DEADLINE_INTERVAL_MS, logger, () => expirePayments(context)),
    startRecurringTask('billing cycles', DEADLINE_INTERVAL_MS, logger, () => runCycles(context)),
    startRecurringTask('agreement settlement', DEADLINE_INTERVAL_MS, logger, () => settleAgreements(context)),
    startRecurringTask('agreement payments', DEADLINE_INTERVAL_MS, logger, () => settlePayments(context)),
    startRecurringTask('payouts', DEADLINE_INTERVAL_MS, logger, () => processPayouts(context)),
    startRecurringTask('payout items', DEADLINE_INTERVAL_MS, logger, () => settlePayoutItems(context)),
    startRecurringTask('call retention', RETENTION_INTERVAL_MS, logger, () =>
      forgetOldCalls(context.database, context.callRetention, new Date()),
    ),
    startRecurringTask('cleaning', CLEANING_INTERVAL_MS, logger, async () => {
      const now = new Date();
      await context.tokens.deleteExpired(now);
      await deleteOldAnswers(context, now);
      return false;
    }),
  ];
}
