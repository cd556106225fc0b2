import { measured, measuredRatio, rounded, type Measured } from '../harness/statistics.js';
import type { DeliveryFigures } from './measure-deliveries.js';
import type { EndpointCost } from './measure-endpoint-cost.js';

type BySide = Readonly<Record<keyof DeliveryFigures['perSecond'], Measured>>;

/** What notifications cost; each with its spread over the rounds. */
export interface NotificationSummary {
  /** Notifications a second over those of an outbox as it is usually written, one row in each transaction. */
  readonly notificationsVsBareOutbox: Measured;
  /** The same over an outbox that sends many rows in one transaction. */
  readonly notificationsVsBatchedOutbox: Measured;
  readonly notificationsPerSecond: BySide;
  /** Of sender and PostgreSQL, for each notification. */
  readonly notificationProcessorMs?: BySide;
  /** Whole lifecycles a second with a registered endpoint over those without. */
  readonly lifecyclesWithEndpointVsWithout: Measured;
  readonly lifecyclesPerSecondByEndpoint: Readonly<Record<keyof EndpointCost, Measured>>;
}

export function summarizeNotifications(
  { perSecond, processorMs }: DeliveryFigures,
  { withEndpoint, withoutEndpoint }: EndpointCost,
): NotificationSummary {
  return {
    notificationsVsBareOutbox: rounded(measuredRatio(perSecond.engine, perSecond.bare)),
    notificationsVsBatchedOutbox: rounded(measuredRatio(perSecond.engine, perSecond.batched)),
    notificationsPerSecond: bySide(perSecond, 0),
    ...(processorMs.engine.length > 0 && { notificationProcessorMs: bySide(processorMs, 2) }),
    lifecyclesWithEndpointVsWithout: rounded(measuredRatio(withEndpoint, withoutEndpoint)),
    lifecyclesPerSecondByEndpoint: {
      withEndpoint: rounded(measured(withEndpoint), 1),
      withoutEndpoint: rounded(measured(withoutEndpoint), 1),
    },
  };
}

function bySide(figures: DeliveryFigures['perSecond'], digits: number): BySide {
  return {
    engine: rounded(measured(figures.engine), digits),
    bare: rounded(measured(figures.bare), digits),
    batched: rounded(measured(figures.batched), digits),
  };
}
