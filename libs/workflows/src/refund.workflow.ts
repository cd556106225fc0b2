import {
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type RefundActivities,
  type RefundMessage,
  type RefundOutcome,
  type RefundRunInput,
  refundNotifiedSignal,
  refundSnapshotQuery,
} from './contract/refund.js';
import { type RefundPosition, advanceRefund, nextLookAt } from './lifecycle/refund/progress.js';
import { type RefundEvent, type RefundState, isSettled, observedRefund } from './lifecycle/refund/refund.js';
import { MessageInbox } from './run/message-inbox.js';
import { describeRefund } from './run-descriptions.js';

/** Reads of the provider and our own rows: nothing here moves money, so all of it may be local. */
const { observeRefund } = proxyLocalActivities<RefundActivities>({
  startToCloseTimeout: '45 seconds',
  // It fails only when our own database is away; then nothing else is worth doing than to try again.
  retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds' },
});

/** The life of a refund that was made elsewhere: from the first word of it until the provider has settled it. */
export async function refundWorkflow(input: RefundRunInput): Promise<RefundOutcome> {
  const run = new RefundRun(input);
  run.listen();
  // A cancelled run would leave a refund pending for ever; what ends one is the provider.
  await CancellationScope.nonCancellable(() => run.live());
  return run.outcome();
}

class RefundRun {
  private readonly inbox: MessageInbox<RefundMessage>;
  private position: RefundPosition;
  private looksTaken = 0;

  constructor(private readonly input: RefundRunInput) {
    const { continued, claim, paymentId, patience } = input;
    this.position = continued
      ? { state: continued.state, version: continued.version }
      : { state: observedRefund(claim, paymentId, patience, Date.now()), version: 0 };
    this.inbox = new MessageInbox(continued?.seen, continued?.waiting);
  }

  /** Before the first await: the signal that arrives with the start must find its handler. */
  listen(): void {
    setHandler(refundNotifiedSignal, (message) => this.inbox.receive(message));
    setHandler(refundSnapshotQuery, () => {
      const at = nextLookAt(this.state);
      return { ...this.position, ...(at !== undefined && { nextLookAt: at }) };
    });
  }

  async live(): Promise<void> {
    while (!this.hasEnded()) {
      const event = await this.nextEvent();
      if (event) await this.take(event);
      if (this.isLongEnough()) await this.continueAsNew();
    }
    await condition(allHandlersFinished);
  }

  outcome(): RefundOutcome {
    const { status, amount } = this.state;
    return { status, ...(amount && { amount }) };
  }

  private get state(): RefundState {
    return this.position.state;
  }

  private hasEnded(): boolean {
    return isSettled(this.state.status) && this.inbox.size === 0;
  }

  /** The next message, or else the poll that has come due; undefined when neither is there yet. */
  private async nextEvent(): Promise<RefundEvent | undefined> {
    const lookAt = nextLookAt(this.state);
    const waitMs = lookAt === undefined ? 0 : lookAt - Date.now();
    if (this.inbox.size === 0 && waitMs > 0) await condition(() => this.inbox.size > 0, waitMs);
    const message = this.inbox.next();
    if (message) return message.event;
    return lookAt !== undefined && lookAt <= Date.now() ? { type: 'pollCameDue' } : undefined;
  }

  private async take(event: RefundEvent): Promise<void> {
    const { position, effect } = advanceRefund(this.position, event, Date.now());
    this.position = position;
    if (!effect) return;
    this.looksTaken += 1;
    const outcome = await observeRefund({ identity: this.input.identity, ...position });
    // The activity has written what it found; it is decided on here exactly as it was there.
    this.position = advanceRefund(position, outcome.event, outcome.at).position;
    setCurrentDetails(describeRefund(this.state, nextLookAt(this.state)));
  }

  private isLongEnough(): boolean {
    if (isSettled(this.state.status)) return false;
    return workflowInfo().continueAsNewSuggested || this.looksTaken >= this.input.looksPerRun;
  }

  private async continueAsNew(): Promise<void> {
    await condition(allHandlersFinished);
    await continueAsNew<typeof refundWorkflow>({
      ...this.input,
      continued: { ...this.position, ...this.inbox.carriedOver() },
    });
  }
}
