import type { Discrepancy, DiscrepancyKind } from '../discrepancy.js';
import type { NotificationReport } from '../notifications/notified-shops.js';
import type { FailedTasks } from './failed-tasks.js';
import type { KillCount } from './killer.js';
import { fewestKills } from './strike-plan.js';

export interface CampaignReport {
  readonly lifecycles: number;
  /** How many of each lifecycle. */
  readonly mix: Readonly<Record<string, number>>;
  readonly seed: string;
  readonly count: KillCount;
  /** How often each kind of fault has struck. */
  readonly faults: Readonly<Record<string, number>>;
  readonly discrepancies: readonly Discrepancy[];
  /** Payments that ended otherwise than planned, with the engine's explanation. */
  readonly explanations: readonly string[];
  /** Accepted requests, each of them judged by the books and answered once more in the end. */
  readonly requests: number;
  /** Resources whose end was shown by an answer, a long poll or a redirect. Every later answer is compared with it. */
  readonly endsReported: number;
  /** What came to the receivers of the order services. */
  readonly notifications: Pick<NotificationReport, 'sent' | 'receiverFaults'>;
  /** Without any, no message, death or pause has met a running task. */
  readonly failedTasks: FailedTasks;
  /** Processes that ended without a kill, one sentence each. */
  readonly accidents: readonly string[];
  /** Processes that ended because a dependency was killed, and were restarted. */
  readonly restarts: number;
  readonly seconds: number;
  /** `on` when every cluster of PostgreSQL keeps what it has committed; see durability.ts. */
  readonly fsync: string;
}

/** More than this share of the lifecycles given to a person is a failure. */
const mostNeedReview = 0.01;
/**
 * The provider declines some payments. The limit catches an engine that declines everything with a fault, which would
 * never move money twice.
 */
const mostExplained = 0.1;
const explainedOfFew = 2;
/** A shorter one may be over before a message meets a running task. */
const fewestWithFailedTasks = 100;

/** The last line of the campaign's output. */
export function summaryOf(report: CampaignReport): Record<string, unknown> {
  const { lost, doubled, stuck, needsReview, finalUndone, ...counts } = countsOf(report);
  return {
    lifecycles: report.lifecycles,
    kills: report.count.kills,
    killsInFlight: report.count.killsInFlight,
    faults: report.faults,
    lost,
    doubled,
    stuck,
    needsReview,
    finalUndone,
    seconds: report.seconds,
    fsync: report.fsync,
    seed: report.seed,
    pauses: report.count.pauses,
    requests: report.requests,
    // The field has had this name since its first campaign.
    endsTold: report.endsReported,
    notifications: {
      sent: report.notifications.sent,
      lost: counts.notificationLost,
      outOfOrder: counts.notificationOutOfOrder,
      beforeTheFact: counts.notificationEarly,
    },
    receiverFaults: report.notifications.receiverFaults,
    failedTasks: report.failedTasks,
    explained: report.explanations.length,
    restarts: report.restarts,
    mix: report.mix,
  };
}

/** Why the campaign has failed or proves nothing; empty if the engine has passed. */
export function failuresOf(report: CampaignReport): string[] {
  const { lifecycles, count, accidents, fsync } = report;
  const { lost, doubled, stuck, needsReview, finalUndone } = countsOf(report);
  const kills = Object.values(count.kills).reduce((sum, number) => sum + number, 0);
  const failures: string[] = [];
  if (lost + doubled + stuck > 0) failures.push(`${lost} lost, ${doubled} doubled, ${stuck} stuck`);
  if (finalUndone > 0) failures.push(`${finalUndone} ends were shown and undone`);
  if (report.endsReported < lifecycles / 2) failures.push(`only ${report.endsReported} ends were shown`);
  const failedTasks = Object.values(report.failedTasks).reduce((sum, number) => sum + number, 0);
  if (failedTasks === 0 && lifecycles >= fewestWithFailedTasks) failures.push('no workflow task has failed');
  if (needsReview > lifecycles * mostNeedReview) failures.push(`${needsReview} need review`);
  if (kills < fewestKills(lifecycles)) failures.push(`only ${kills} kills`);
  if (count.killsInFlight * 2 < kills)
    failures.push(`only ${count.killsInFlight} of ${kills} kills in flight`);
  if (report.explanations.length > explainedOfFew + lifecycles * mostExplained)
    failures.push(`${report.explanations.length} ended otherwise than planned`);
  if (report.requests < lifecycles)
    failures.push(`only ${report.requests} requests were accepted and judged`);
  if (Object.values(report.faults).every((struck) => struck === 0)) failures.push('no fault has struck');
  failures.push(...notificationFailuresOf(report), ...accidents);
  if (fsync !== 'on') failures.push('fsync is off');
  return failures;
}

function notificationFailuresOf(report: CampaignReport): string[] {
  const { sent, receiverFaults } = report.notifications;
  const { notificationLost, notificationOutOfOrder, notificationEarly } = countsOf(report);
  const failures: string[] = [];
  if (notificationLost + notificationOutOfOrder + notificationEarly > 0) {
    failures.push(
      `notifications: ${notificationLost} lost, ${notificationOutOfOrder} out of order, ${notificationEarly} before the fact`,
    );
  }
  if (sent < report.lifecycles) failures.push(`only ${sent} notifications were sent`);
  if (Object.values(receiverFaults).every((times) => times === 0)) failures.push('no receiver has failed');
  return failures;
}

function countsOf({ discrepancies }: CampaignReport): Readonly<Record<DiscrepancyKind, number>> {
  const of = (kind: DiscrepancyKind): number =>
    discrepancies.filter((discrepancy) => discrepancy.kind === kind).length;
  return {
    lost: of('lost'),
    doubled: of('doubled'),
    stuck: of('stuck'),
    needsReview: of('needsReview'),
    finalUndone: of('finalUndone'),
    notificationLost: of('notificationLost'),
    notificationOutOfOrder: of('notificationOutOfOrder'),
    notificationEarly: of('notificationEarly'),
  };
}
