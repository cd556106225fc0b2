import type { WebhookEventRow, WebhookStatus } from '#database/schema';
import type { RunMessage, RunStart, Subject } from '#workflows/contract';
import type { WaitPolicy } from '#workflows/lifecycle';
import type { RefundClaim } from '#workflows/lifecycle/refund';
import type { OpenStep } from '#workflows/lifecycle/step';

/** Where an event goes: to its subject's run, to the run of its refund, or directly to its last status. */
export type EventRoute =
  | {
      readonly kind: 'signal';
      readonly message: Unnamed;
      /** How the event contradicts our records; the run reads the true state. */
      readonly contradiction?: string;
    }
  | {
      readonly kind: 'adoptRefund';
      /** The payment that was refunded; default: the event's subject. */
      readonly paymentId?: string;
      /** The provider's id of the refund; for a reversal, the event's id. */
      readonly nameElsewhere: string;
      readonly claim: Exclude<RefundClaim, { kind: 'request' }>;
      readonly patience: WaitPolicy;
    }
  | {
      /** To the run of an ended subject: the open one, or a new one that reads. */
      readonly kind: 'startReading';
      readonly runOf: (subject: Subject) => RunStart;
      readonly message: Unnamed;
    }
  | { readonly kind: 'setStatus'; readonly status: WebhookStatus; readonly detail: string };

/** A message without its id, which the dispatch makes. */
type Unnamed = Pick<RunMessage, 'event'>;

export type RoutedEvent = Pick<WebhookEventRow, 'event_id' | 'event_type' | 'resource'> &
  Partial<Pick<WebhookEventRow, 'first_content' | 'resource_ids'>>;

export function setStatus(status: WebhookStatus, detail: string): EventRoute {
  return { kind: 'setStatus', status, detail };
}

/** The answer has more than the event. The activity that writes the answer claims the event. */
export const parkedForAnswer = setStatus('parked', 'a call to the provider is in flight');

export function isCallInFlight({ openStep }: { readonly openStep?: OpenStep<unknown> }): boolean {
  return openStep?.phase === 'running';
}
