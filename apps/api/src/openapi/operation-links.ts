import type { OpenAPIObject } from '@nestjs/swagger';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
  }[];
  readonly security?: readonly object[];
  readonly responses: Record<string, Response>;
}
interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
  links?: Record<string, Link>;
}
interface Link {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: object;
}

const body = (pointer: string) => `$response.body#${pointer}`;

/** Where the answers have the ids of resources with operations of their own: the resource's path, and the pointers. */
const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Payment: { '/v1/payments/{id}': '/id' },
  PaymentDetails: { '/v1/payments/{id}': '/id' },
  CaptureResult: { '/v1/payments/{id}': '/payment/id' },
  Refund: { '/v1/refunds/{id}': '/id', '/v1/payments/{id}': '/paymentId' },
  Plan: { '/v1/plans/{id}': '/id' },
  Subscription: { '/v1/subscriptions/{id}': '/id', '/v1/plans/{id}': '/planId' },
  Payout: { '/v1/payouts/{id}': '/id' },
  NotificationEndpoint: { '/v1/notification-endpoints/{id}': '/id' },
  NotificationEndpointWithSecret: { '/v1/notification-endpoints/{id}': '/id' },
  Notification: {
    '/v1/notifications/{id}': '/id',
    '/v1/notification-endpoints/{id}': '/deliveries/0/endpointId',
  },
  WebhookEvent: { '/v1/webhook-events/{id}': '/id' },
  CodecSession: { '/v1/codec-sessions/{id}': '/id' },
  OpenedCodecSession: { '/v1/codec-sessions/{id}': '/id' },
};

/** What needs more than the id of the resource. */
const others: Readonly<Record<string, readonly Omit<Link, 'description'>[]>> = {
  PaymentDetails: [
    { operationId: 'getCapture', parameters: { id: body('/id'), captureId: body('/captures/0/id') } },
    { operationId: 'getRefund', parameters: { id: body('/refunds/0/id') } },
    { operationId: 'listRefunds', parameters: { paymentId: body('/id') } },
    { operationId: 'listWebhookEvents', parameters: { payment: body('/id') } },
    { operationId: 'listNotifications', parameters: { subject: body('/id') } },
  ],
  CaptureList: [
    { operationId: 'getCapture', parameters: { id: '$request.path.id', captureId: body('/data/0/id') } },
  ],
  PaymentRefunds: [{ operationId: 'getRefund', parameters: { id: body('/data/0/id') } }],
  PayoutItemList: [
    {
      operationId: 'cancelPayoutItem',
      parameters: { id: '$request.path.id', itemId: body('/data/0/itemId') },
    },
  ],
  Plan: [{ operationId: 'listSubscriptions', parameters: { planId: body('/id') } }],
};

/**
 * Leads from each order and read of a resource to what can be done with it: every operation at its address and below. A
 * list leads to the first resource that it shows.
 */
export function linkOperations({ paths }: Pick<OpenAPIObject, 'paths'>): void {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    (Object.entries(methods) as [string, Operation][]).map(([method, operation]) => ({
      path,
      operation,
      isOrderOrRead: method === 'get' || '201' in operation.responses,
    })),
  );
  const summaryOf = new Map(
    operations.map(({ operation }) => [operation.operationId, operation.summary ?? '']),
  );
  for (const { operation, isOrderOrRead } of operations) {
    if (!isOrderOrRead) continue;
    for (const [status, response] of Object.entries(operation.responses)) {
      const component = response.content?.['application/json']?.schema?.$ref?.split('/').at(-1);
      if (component === undefined || Number(status) >= 300) continue;
      const links = [
        ...Object.entries(placesIn(component)).flatMap(([root, pointer]) =>
          operations
            .filter((other) => isOf(root, other))
            .map((other) => linkTo(other.operation, body(pointer))),
        ),
        ...(others[component] ?? []),
      ].filter(({ operationId }) => operationId !== operation.operationId);
      if (links.length === 0) continue;
      response.links = Object.fromEntries(
        links.map((link) => [
          link.operationId,
          { ...link, description: summaryOf.get(link.operationId) ?? '' },
        ]),
      );
    }
  }
}

/** Below the root, by the id of the root alone. Payers' browsers come without a key. */
function isOf(
  root: string,
  { path, operation }: { readonly path: string; readonly operation: Operation },
): boolean {
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  return (
    (path === root || path.startsWith(`${root}/`)) && inPath.length === 1 && !!operation.security?.length
  );
}

function placesIn(component: string): Readonly<Record<string, string>> {
  const entry = places[component.replace(/List$/, '')];
  if (!component.endsWith('List') || !entry) return places[component] ?? {};
  return Object.fromEntries(Object.entries(entry).map(([root, pointer]) => [root, `/data/0${pointer}`]));
}

function linkTo({ operationId = '' }: Operation, id: string): Omit<Link, 'description'> {
  return { operationId, parameters: { id } };
}
