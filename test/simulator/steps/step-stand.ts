import { rest } from '#proof/simulator/core/clock.js';
import { World, present } from '#proof/simulator/core/world.js';
import { SimulatedDatabase } from '#proof/simulator/rows/database.js';
import type { SubjectRow } from '#proof/simulator/rows/row-types.js';
import { Rows } from '#proof/simulator/rows/rows.js';
import type { NewApiCall } from '#database/calls';
import type { AttemptRow, CommandKind } from '#database/schema';
import { type PaymentWork, paymentWriter } from '#worker/payments/payment-writer.js';
import { reauthorizeAuthorization } from '#worker/payments/reauthorize-authorization.js';
import type { Calls } from '#worker/steps/activities/subject-writer.js';
import { type AttemptIdentity, freshIdentity } from '#worker/steps/attempts/attempt-identity.js';
import { attemptStep } from '#worker/steps/attempts/attempt-step.js';
import { type LookupResult, lookUpStep } from '#worker/steps/lookups/look-up-step.js';
import { type Verification, verifyStep } from '#worker/steps/reviews/verify-step.js';
import type { StepInput } from '#workflows/contract';
import type { MoneyStep, PaymentEvent, PaymentState } from '#workflows/lifecycle/payment';
import type { DecidedReview, LookHint, StepEvent } from '#workflows/lifecycle/step';
import { now } from '../../lifecycle/payment/sample-payments.js';

// Built by the simulator's build: the steps run for real, on the simulator's rows and on a clock that only the test moves.

export { EndOnRecordError, LateTaskError } from '#database/transitions';
export * from '#payments-client';
export * from './payment-steps.js';
export { onlyAccepted } from '#worker/steps/activities/accepted-request.js';
export { findEnded } from '#worker/steps/activities/find-ended.js';
export { makeRead } from '#worker/steps/activities/make-read.js';
export {
  recordEvent,
  recordFinding,
  recordTransitionWithoutCall,
} from '#worker/steps/activities/record-event.js';
export { NotSentError } from '#worker/steps/attempts/error-mapping.js';
export { readBeforeFirstSending, readBeforeSending } from '#worker/steps/attempts/read-before-sending.js';

type Shown = LookupResult<PaymentEvent>;

const owner = { environment: 'sandbox', application: 'shop' } as const;
const paymentId = 'pay_1';
const commandId = 'cmd_2';

/** Rows that say which read has written them. */
class RowsOfReads extends Rows {
  /** When each read began that a write names, or undefined. */
  readonly readsBegan: (Date | undefined)[] = [];

  override writeAttemptOutcome(...[transition, outcome]: Parameters<Rows['writeAttemptOutcome']>): boolean {
    this.readsBegan.push(transition.readBeganAt);
    return super.writeAttemptOutcome(transition, outcome);
  }

  override writeTransition(transition: Parameters<Rows['writeTransition']>[0]): void {
    this.readsBegan.push(transition.readBeganAt);
    super.writeTransition(transition);
  }
}

interface Circumstances {
  readonly kind?: CommandKind;
  readonly timeline?: StepInput['timeline'];
  readonly before?: NonNullable<StepInput['before']>;
}

/** A payment with an open step, the rows that it has, and all that was sent for it. */
export class StepStand {
  readonly world = new World(1, { isTold: false, allowed: new Set() });
  readonly rows = new RowsOfReads(() => this.world.clock.now);
  /** The POSTs that the provider got. */
  readonly sent: AttemptIdentity[] = [];
  /** The references that each lookup searched for. */
  readonly lookups: (readonly string[])[] = [];
  searchedFrom: Date | undefined;
  /** What runs were told. */
  readonly signals: unknown[] = [];
  /** The subjects whose callers were told that something new is committed. */
  readonly announced: string[] = [];
  /** Happens on the way to each statement, and on the way back. */
  onHop: () => void = () => undefined;
  /** The calls that the step makes. */
  readonly calls: NewApiCall[] = [];
  isConfigured = true;
  /** The client of the provider; absent where the provider is not asked. */
  client: unknown;
  /** When the database was restored to an earlier moment, if it was. */
  restore: PaymentWork['context']['restore'];
  readonly input: StepInput;

  /** @param timeline lines that the rows do not have yet. */
  constructor(state: PaymentState, { kind = 'capture', timeline = [], before }: Circumstances = {}) {
    present.world = this.world;
    this.world.clock.now = now;
    const identity = { ...owner, paymentId };
    this.input = {
      identity,
      state,
      version: 4,
      timeline,
      ...(before && { before }),
      taskStartedAt: this.now,
    };
    const known = before?.state ?? state;
    const row = { id: paymentId, kind: 'payment', ...owner, status: known.status, state: known, version: 3 };
    this.rows.order(row, { id: commandId, kind, subjectId: paymentId });
  }

  get now(): number {
    return this.world.clock.now;
  }

  pass(ms: number): void {
    this.world.clock.now += ms;
  }

  get payment() {
    const { status, version, state } = this.rows.subjects.get(paymentId) ?? never();
    return { status, version, state: state as PaymentState };
  }

  get command() {
    return this.rows.commands.get(commandId) ?? never();
  }

  /** The lines of the timeline, oldest first. */
  get timeline() {
    return [...(this.rows.timelines.get(paymentId)?.values() ?? [])];
  }

  get attempts(): readonly AttemptRow[] {
    return this.rows.attempts;
  }

  /** The request is accepted as something else than the constructor said. */
  acceptAs(changed: Partial<ReturnType<Rows['commands']['get']>>): void {
    this.rows.commands.write({ ...this.command, ...changed });
  }

  /** Somebody else writes the payment's row, such as a newer task of the run. */
  writeElsewhere(changed: Partial<SubjectRow>): void {
    const row = this.rows.subjects.get(paymentId) ?? never();
    this.rows.subjects.set(paymentId, { ...row, ...changed });
  }

  /** The row of an attempt that was made before, with the identity of the first one. */
  madeBefore(attemptNumber: number, recorded: Partial<AttemptRow> = {}): AttemptRow {
    const first = freshIdentity({ subjectId: paymentId, stepName: commandId, attemptNumber: 0 });
    const row: AttemptRow = {
      id: this.rows.attempts.length + 1,
      subject_id: paymentId,
      step_name: commandId,
      attempt_number: attemptNumber,
      step: { type: 'captureAuthorization', commandId },
      request_id: first.requestId,
      reference: first.reference,
      begun_at: new Date(this.now),
      send_by: new Date(this.now),
      outcome: null,
      event: null,
      settled_at: recorded.event ? new Date(this.now) : null,
      ...recorded,
    };
    this.rows.attempts.push(row);
    return row;
  }

  /** Makes the step's POST as an activity does. @param answer what the provider does with it. */
  async attempt(answer: () => Promise<PaymentEvent | StepEvent>, seen?: object) {
    const send = async (identity: AttemptIdentity) => {
      this.sent.push(identity);
      return await answer();
    };
    return await attemptStep(this.work, this.input, send, seen);
  }

  /** Reauthorizes as the activity does; the stand has no provider that could be read before. */
  async reauthorize() {
    return await reauthorizeAuthorization(this.work, this.input);
  }

  /** Looks the outcome of the step up. @param shown what the lookups show, one after the other. */
  async lookUp(shown: readonly (() => Shown)[], hint?: LookHint) {
    return await this.inTime(
      lookUpStep(this.work, this.input, async (_step, attempts) => this.look(attempts, shown), hint),
    );
  }

  /** Verifies an operator's decision. */
  async verify(
    decided: DecidedReview<string>,
    verification: Partial<Verification<PaymentEvent, MoneyStep>> & { readonly shown?: () => Shown },
  ) {
    const { shown = () => 'unreadable', ...others } = verification;
    return await this.inTime(
      verifyStep(this.work, this.input, decided, {
        lookUp: async (_step, attempts) => this.look(attempts, [shown, shown]),
        readNamed: async () => ({ kind: 'unreadable' }),
        eventOnWord: () => undefined,
        isReadRequired: () => false,
        ...others,
      }),
    );
  }

  private look(attempts: readonly AttemptRow[], shown: readonly (() => Shown)[]): Shown {
    this.lookups.push(attempts.map(({ reference }) => reference));
    this.searchedFrom = attempts[0]?.begun_at;
    return (shown[this.lookups.length - 1] ?? never())();
  }

  /** Waits, while the clock goes from one wait of the step to its next. */
  async inTime<T>(work: Promise<T>): Promise<T> {
    const { clock } = this.world;
    const progress = { isDone: false };
    const done = work.finally(() => {
      progress.isDone = true;
    });
    done.catch(() => undefined);
    while (!progress.isDone) {
      await rest();
      await clock.run(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    }
    return await done;
  }

  get work(): PaymentWork {
    const context = {
      db: new SimulatedDatabase(this.world, this.rows, { hop: async () => this.onHop() } as never),
      providers: {
        for: () => (this.isConfigured ? this.client : never()),
        recording: async <T>(work: () => Promise<T>): Promise<{ result: T; calls: Calls }> => ({
          result: await work(),
          calls: this.calls,
        }),
      },
      restore: this.restore,
      changes: { announce: (id: string) => this.announced.push(id) },
      runs: {
        signal: async (_subject: unknown, message: unknown) => {
          this.signals.push(message);
          return true;
        },
      },
    };
    return { context: context as never, writer: paymentWriter };
  }
}

function never(): never {
  throw new Error('the stand has no such row or answer, or is not configured');
}
