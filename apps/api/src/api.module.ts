import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { ChangeListener, type Database } from '#database/connection';
import { EventDispatch } from '#webhook-inbox';
import { type ApiConfig, apiConfig } from './injected/api-config.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { Checks } from './checks/checks.js';
import { SubjectChecks } from './checks/subject-checks.js';
import { CodecController } from './codec/codec.controller.js';
import { CodecSessions } from './codec/codec-sessions.js';
import { CodecSessionsController } from './codec/codec-sessions.controller.js';
import { CodecSignInController } from './codec/codec-sign-in.controller.js';
import { CommandSender } from './commands/command-sender.js';
import { Starting } from './commands/starting.js';
import { databaseToken } from './injected/database-token.js';
import { LiveEventsController } from './events/live-events.controller.js';
import { LiveEvents } from './events/live-events.js';
import { HealthController } from './health/health.controller.js';
import { log } from './injected/log.js';
import { type Telemetry, telemetry as telemetryToken } from './injected/telemetry.js';
import { NotificationDispatcher } from './notifications/notification-dispatcher.js';
import { NotificationEndpoints } from './notifications/notification-endpoints.js';
import { NotificationEndpointsController } from './notifications/notification-endpoints.controller.js';
import { NotificationPayloads } from './notifications/notification-payloads.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { CapturesController } from './payments/captures.controller.js';
import { OrderPayment } from './payments/order-payment.js';
import { PayerController } from './payments/payer.controller.js';
import { PayerReturn } from './payments/payer-return.js';
import { ChangeWaits } from './commands/wait-for-change.js';
import { PreconditionGuard } from './commands/precondition.guard.js';
import { Evidence } from './reviews/evidence.js';
import { PaymentCommands } from './payments/payment-commands.js';
import { PaymentRows } from './rows/payment-rows.js';
import { paymentControllers } from './payments/payment-routes.js';
import { PaymentCallsController } from './payments/payment-calls.controller.js';
import { OrderPayout } from './payouts/order-payout.js';
import { PayoutCommands } from './payouts/payout-commands.js';
import { PayoutItemsController } from './payouts/payout-items.controller.js';
import { PayoutRows } from './rows/payout-rows.js';
import { payoutControllers } from './payouts/payout-routes.js';
import { OrderPlan } from './plans/order-plan.js';
import { PlanCommands } from './plans/plan-commands.js';
import { PlanRows } from './rows/plan-rows.js';
import { planControllers } from './plans/plan-routes.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { RequestValidationPipe } from './requests/request-validation.pipe.js';
import { Runs } from '#runs';
import { RefundCommands } from './refunds/refund-commands.js';
import { RefundRows } from './rows/refund-rows.js';
import { PaymentRefundsController } from './refunds/payment-refunds.controller.js';
import { refundControllers } from './refunds/refund-routes.js';
import { RequestRefund } from './refunds/request-refund.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { OrderSubscription } from './subscriptions/order-subscription.js';
import { SubscriberController } from './subscriptions/subscriber.controller.js';
import { SubscriberReturn } from './subscriptions/subscriber-return.js';
import { SubscriptionCommands } from './subscriptions/subscription-commands.js';
import { SubscriptionRows } from './rows/subscription-rows.js';
import { subscriptionControllers } from './subscriptions/subscription-routes.js';
import { SubscriptionPaymentsController } from './subscriptions/subscription-payments.controller.js';
import { WebhookAuthenticity } from './webhooks/webhook-authenticity.js';
import { WebhookDispatcher } from './webhooks/webhook-dispatcher.js';
import { WebhookEventsController } from './webhooks/webhook-events.controller.js';
import { WebhookIntake } from './webhooks/webhook-intake.js';
import { AuditController } from './console/audit/audit.controller.js';
import { CallsController } from './console/calls/calls.controller.js';
import { AgainController } from './console/events/again.controller.js';
import { EventsController } from './console/events/events.controller.js';
import { ActionRequests } from './console/actions/action-requests.js';
import { ActionsController } from './console/actions/actions.controller.js';
import { ConsoleActions } from './console/actions/console-actions.js';
import { OtherActions } from './console/actions/other-actions.js';
import { PaymentActions } from './console/actions/payment-actions.js';
import { ConsoleSubjects } from './console/subjects/console-subjects.js';
import { SubjectsController } from './console/subject-pages/subjects.controller.js';
import { ConsoleGuard } from './console/console.guard.js';
import { OidcController } from './console/oidc.controller.js';
import { SignInController } from './console/sign-in.controller.js';
import { DifferencesController } from './console/differences/differences.controller.js';
import { EndpointEnableController } from './console/notifications/endpoint-enable.controller.js';
import { EndpointResendController } from './console/notifications/endpoint-resend.controller.js';
import { EndpointsController } from './console/notifications/endpoints.controller.js';
import { NotificationController } from './console/notifications/notification.controller.js';
import { NotificationResendController } from './console/notifications/notification-resend.controller.js';
import { NotificationForms } from './console/notifications/notification-forms.js';
import { QueueController } from './console/start/queue.controller.js';
import { StartController } from './console/start/start.controller.js';
import { ConsoleSessions } from './sign-in/console-sessions.js';
import { IdentityProvider } from './sign-in/identity-provider.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

const services = [
  ChangeWaits,
  PaymentRows,
  OrderPayment,
  CommandSender,
  Starting,
  Checks,
  SubjectChecks,
  Evidence,
  PayoutRows,
  OrderPayout,
  PayoutCommands,
  PaymentCommands,
  PayerReturn,
  RefundRows,
  RequestRefund,
  RefundCommands,
  PlanRows,
  OrderPlan,
  PlanCommands,
  SubscriptionRows,
  OrderSubscription,
  SubscriptionCommands,
  SubscriberReturn,
  WebhookAuthenticity,
  WebhookDispatcher,
  WebhookIntake,
  CodecSessions,
  NotificationEndpoints,
  NotificationPayloads,
  NotificationDispatcher,
  LiveEvents,
  ConsoleSessions,
  IdentityProvider,
  ConsoleSubjects,
  ConsoleActions,
  ActionRequests,
  PaymentActions,
  OtherActions,
  NotificationForms,
  ConsoleGuard,
];

/** The connections and settings that the API works with. The caller that opened them also closes them. */
export interface ApiParts {
  readonly config: ApiConfig;
  readonly db: Database;
  readonly listener: ChangeListener;
  readonly temporal: Client;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
}

const controllers = [
  PaymentCallsController,
  ...paymentControllers,
  CapturesController,
  PaymentRefundsController,
  ...refundControllers,
  ...payoutControllers,
  PayoutItemsController,
  ...planControllers,
  SubscriptionPaymentsController,
  ...subscriptionControllers,
  SubscriberController,
  ReconciliationController,
  PayerController,
  WebhooksController,
  WebhookEventsController,
  CodecController,
  CodecSessionsController,
  CodecSignInController,
  NotificationEndpointsController,
  NotificationsController,
  LiveEventsController,
  HealthController,
  SignInController,
  OidcController,
  StartController,
  QueueController,
  DifferencesController,
  EndpointsController,
  EndpointEnableController,
  EndpointResendController,
  NotificationController,
  NotificationResendController,
  SubjectsController,
  ActionsController,
  CallsController,
  AgainController,
  EventsController,
  AuditController,
];

@Module({})
export class ApiModule {
  static with({ config, db, listener, temporal, logger, telemetry }: ApiParts): DynamicModule {
    const runs = new Runs(temporal, { ...config.temporal, publicUrl: config.publicUrl });
    return {
      module: ApiModule,
      controllers,
      providers: [
        { provide: apiConfig, useValue: config },
        { provide: databaseToken, useValue: db },
        { provide: ChangeListener, useValue: listener },
        { provide: Client, useValue: temporal },
        { provide: log, useValue: logger },
        { provide: telemetryToken, useValue: telemetry },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_GUARD, useClass: PreconditionGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: Runs, useValue: runs },
        { provide: EventDispatch, useValue: new EventDispatch(db, runs) },
        ...services,
      ],
    };
  }
}
