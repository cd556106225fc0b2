import {
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type DecisionMessage,
  type PaymentActivities,
  type PaymentMessage,
  type PaymentOutcome,
  type PaymentRunInput,
  type PaymentSnapshot,
  type StepOutcome,
  decideReviewUpdate,
  paymentSignals,
  snapshotQuery,
} from './contract.js';
import { amountsOf } from './lifecycle/amounts.js';
import { lookBeforeRefusal } from './lifecycle/belated-request.js';
import { nextDeadline } from './lifecycle/deadlines.js';
import {
  type Effect,
  type Instant,
  type PaymentEvent,
  type PaymentState,
  isTerminal,
  orderedPayment,
} from './lifecycle/payment.js';
import { type Position, type TimelineEntry, advance } from './lifecycle/timeline.js';
import { decide } from './lifecycle/transition.js';
import { MessageInbox } from './message-inbox.js';
import { describeEffect, describePayment } from './run-descriptions.js';

/**
 * The life of one payment. Every step that moves money is caused by something the history already holds (the start, a
 * signal, a fired timer) and leaves its evidence in an attempt row before it is sent; that is why these activities may
 * be local (docs/decisions/0005).
 */
const activities = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '45 seconds',
  // They fail only when our own database is away; then nothing else is worth doing than to try again.
  retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds' },
});

export async function paymentWorkflow(input: PaymentRunInput): Promise<PaymentOutcome> {
  const run = new PaymentRun(input);
  run.listen();
  // A cancelled run would leave a hold that nobody minds, or money on its way; what ends a payment is a void.
  await CancellationScope.nonCancellable(() => run.live());
  return run.outcome();
}

class PaymentRun {
  private readonly inbox: MessageInbox<PaymentMessage | DecisionMessage>;
  private position: Position;
  private unwritten: TimelineEntry[] = [];
  private messagesTaken = 0;
  /** What led here is not in the history yet: a read, or that a deadline came before any message. */
  private restsOnUnpersisted = false;

  constructor(private readonly input: PaymentRunInput) {
    const { continued, order } = input;
    this.position = continued
      ? { state: continued.state, version: continued.version }
      : { state: orderedPayment(order, Date.now()), version: 0 };
    this.inbox = new MessageInbox(continued?.seen, continued?.waiting);
  }

  /** Before the first await: a signal that arrives with the start must find its handler. */
  listen(): void {
    for (const signal of Object.values(paymentSignals))
      setHandler(signal, (message) => this.receive(message));
    setHandler(decideReviewUpdate, (message) => this.inbox.receive(message), {
      validator: (message) => this.assertDecidable(message),
    });
    setHandler(snapshotQuery, () => this.snapshot());
  }

  async live(): Promise<void> {
    if (!this.input.continued) await this.follow({ type: 'perform', step: { type: 'createPayment' } });
    while (!this.hasEnded()) {
      const event = await this.nextEvent();
      if (event) {
        await this.catchUpFor(event);
        await this.take(event, Date.now());
      }
      if (this.isLongEnough()) await this.continueAsNew();
    }
    await condition(allHandlersFinished);
  }

  /**
   * A hint asks for a read of the provider. Where one waits already, its read is still to come and will show what this
   * one tells of as well: a thousand events at once cost few reads, and never more than one is carried over.
   */
  private receive(message: PaymentMessage): void {
    if (isHint(message) && this.inbox.holds(isHint) && patched('waiting-hints-share-a-read')) {
      if (this.inbox.remember(message.id)) this.messagesTaken += 1;
      return;
    }
    this.inbox.receive(message);
  }

  snapshot(): PaymentSnapshot {
    const deadline = nextDeadline(this.state);
    return {
      ...this.position,
      waitingMessages: this.inbox.size,
      ...(deadline && { nextDeadline: { at: deadline.at, event: deadline.event.type } }),
    };
  }

  /** Small, because it stands in the history for good; the rows have the rest. */
  outcome(): PaymentOutcome {
    const { status, order } = this.state;
    const { authorized, captured } = amountsOf(this.state);
    return { status, currency: order.amount.currency, authorized, captured };
  }

  private get state(): PaymentState {
    return this.position.state;
  }

  /** A message that came in while the last step ran is answered before the run closes: it was accepted. */
  private hasEnded(): boolean {
    return isTerminal(this.state.status) && this.inbox.size === 0;
  }

  /** The next message, or else the deadline that has come due; undefined when neither is there yet. */
  private async nextEvent(): Promise<PaymentEvent | undefined> {
    const deadline = nextDeadline(this.state);
    const waitMs = deadline && deadline.at - Date.now();
    if (this.inbox.size === 0 && (waitMs === undefined || waitMs > 0)) {
      // One timer per wait, cancelled by the message that ends it.
      const hasMessage = () => this.inbox.size > 0;
      await (waitMs === undefined ? condition(hasMessage) : condition(hasMessage, waitMs));
      this.restsOnUnpersisted = false;
    }
    const message = this.inbox.next();
    if (message) {
      this.messagesTaken += 1;
      if (message.event.type === 'reviewDecided') await this.persistUpdate();
      return message.event;
    }
    if (!deadline || deadline.at > Date.now()) return undefined;
    this.restsOnUnpersisted = true;
    return deadline.event;
  }

  /** A request that the rows let through is turned away only after a look: they can be ahead of this run. */
  private async catchUpFor(event: PaymentEvent): Promise<void> {
    const look = lookBeforeRefusal(this.state, event, Date.now());
    // Asked for only where a look is due: most histories never get there, and need no mark.
    if (look && patched('look before refusal')) await this.follow(look);
  }

  private async take(event: PaymentEvent, at: Instant): Promise<void> {
    const effect = this.advance(event, at);
    if (effect) await this.follow(effect);
    else if (this.unwritten.length > 0) await this.record();
  }

  /** Carries out an effect and whatever its outcome asks for next. */
  private async follow(first: Effect): Promise<void> {
    let effect: Effect | undefined = first;
    while (effect) {
      if (effect.type === 'perform') await this.persistCause();
      else this.restsOnUnpersisted = true;
      setCurrentDetails(describePayment(this.state, describeEffect(effect)));
      const outcome = await this.carryOut(effect);
      // The activity has written what led to it; its outcome is decided on here exactly as it did there.
      this.unwritten = [];
      effect = this.advance(outcome.event, outcome.at);
      this.unwritten = [];
    }
    setCurrentDetails(describePayment(this.state));
  }

  /** A repetition of what was taken before is let through: the inbox knows it. */
  private assertDecidable({ id, event }: DecisionMessage): void {
    if (this.inbox.knows(id)) return;
    const decision = decide(this.state, event, Date.now());
    if (decision.kind !== 'refused') return;
    const { code, reason } = decision.refusal;
    throw ApplicationFailure.create({ type: code, message: reason, nonRetryable: true });
  }

  /**
   * That an Update was taken is in the history only once its workflow task has completed, and a server that dies before
   * forgets it altogether. Then no row may say that it was carried out: whoever sent it would never send it again.
   */
  private async persistUpdate(): Promise<void> {
    this.restsOnUnpersisted = true;
    await this.persistCause();
  }

  /**
   * Before money moves, its cause must be in the history. A worker that dies takes the reads of its workflow task with
   * it; made again, they show what it did since, and this run would take its own doing for somebody else's. A deadline
   * that was taken would be taken again only after the messages that came meanwhile, a cancellation among them. Any
   * timer completes the task.
   */
  private async persistCause(): Promise<void> {
    if (!this.restsOnUnpersisted) return;
    await sleep(1);
    this.restsOnUnpersisted = false;
  }

  private async carryOut(effect: Effect): Promise<StepOutcome> {
    const input = { identity: this.input.identity, ...this.position, timeline: this.unwritten };
    switch (effect.type) {
      case 'lookUp':
        return await activities.lookUpOutcome(input);
      case 'observe':
        return await activities.observePayment(input);
      case 'verifyDecision':
        return await activities.verifyDecision(input, effect.decided);
      case 'perform':
        return effect.step.type === 'createPayment'
          ? await activities.createPayment(input, this.input.purchase)
          : await activities[effect.step.type](input);
    }
  }

  private async record(): Promise<void> {
    await activities.recordTransition({
      identity: this.input.identity,
      ...this.position,
      timeline: this.unwritten,
    });
    this.unwritten = [];
    setCurrentDetails(describePayment(this.state));
  }

  private advance(event: PaymentEvent, at: Instant): Effect | undefined {
    const { position, entry, effect } = advance(this.position, event, at);
    this.position = position;
    if (entry) this.unwritten.push(entry);
    return effect;
  }

  private isLongEnough(): boolean {
    if (isTerminal(this.state.status)) return false;
    return workflowInfo().continueAsNewSuggested || this.messagesTaken >= this.input.messagesPerRun;
  }

  private async continueAsNew(): Promise<void> {
    await condition(allHandlersFinished);
    await continueAsNew<typeof paymentWorkflow>({
      ...this.input,
      continued: { ...this.position, ...this.inbox.carriedOver() },
    });
  }
}

function isHint({ event }: { readonly event: Pick<PaymentEvent, 'type'> }): boolean {
  return event.type === 'providerNotified';
}
