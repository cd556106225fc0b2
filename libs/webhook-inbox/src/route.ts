import type { WebhookEventRow, WebhookStatus } from '#database/schema';
import type { RunMessage, RunStart, Subject } from '#workflows/contract';
import type { WaitPolicy } from '#workflows/lifecycle';
import type { RefundClaim } from '#workflows/lifecycle/refund';
import type { OpenStep } from '#workflows/lifecycle/step';

/** Where an event goes: to the run it is about, to that of the refund which it tells of, or straight to its last status. */
export type EventRoute =
  | {
      readonly kind: 'signal';
      readonly message: RunMessage;
      /** What the event says against our records; what is true, the run reads. */
      readonly contradiction?: string;
    }
  | {
      readonly kind: 'startRefund';
      /** Whose money it is said to be; the payment's that the event is about when absent. */
      readonly paymentId?: string;
      /** The provider's id of it; of a reversal, that of the event. */
      readonly nameElsewhere: string;
      readonly claim: Exclude<RefundClaim, { kind: 'request' }>;
      readonly patience: WaitPolicy;
    }
  | {
      /** To the run of what has ended: the one that lives, or another one, which reads. */
      readonly kind: 'startReading';
      readonly runOf: (subject: Subject) => RunStart;
      readonly message: RunMessage;
    }
  | { readonly kind: 'setStatus'; readonly status: WebhookStatus; readonly detail: string };

export type RoutedEvent = Pick<WebhookEventRow, 'event_id' | 'event_type' | 'resource'> &
  Partial<Pick<WebhookEventRow, 'first_content' | 'resource_ids'>>;

export function setStatus(status: WebhookStatus, detail: string): EventRoute {
  return { kind: 'setStatus', status, detail };
}

/** The answer will tell more than the event does; who writes that answer claims the event. */
export const parkedForAnswer = setStatus('parked', 'a call to the provider is in flight');

export function isCallInFlight({ openStep }: { readonly openStep?: OpenStep<unknown> }): boolean {
  return openStep?.phase === 'running';
}
