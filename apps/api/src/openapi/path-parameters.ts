import type { OpenAPIObject } from '@nestjs/swagger';
import { idPattern, itemIdPattern } from '../wire/ids.js';
import { problemResponse } from './describe-operation.js';

interface PathParameter {
  readonly description: string;
  readonly schema: object;
}

interface Operation {
  parameters?: { in: string }[];
  readonly responses: Record<string, object>;
}

const subject = (kind: Parameters<typeof idPattern>[0]): PathParameter => ({
  description: `The id of the ${kind}.`,
  schema: { type: 'string', pattern: idPattern(kind).source },
});
const id = (of: string): PathParameter => ({
  description: `The id of the ${of}.`,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' },
});
const providersId = (of: string): PathParameter => ({
  description: `The provider’s id of the ${of}.`,
  schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$' },
});

/** Parameters of paths, by the part of the path that ends with them. */
const parameters: Readonly<Record<string, PathParameter>> = {
  'payments/{id}': subject('payment'),
  'refunds/{id}': subject('refund'),
  'plans/{id}': subject('plan'),
  'subscriptions/{id}': subject('subscription'),
  'payouts/{id}': subject('payout'),
  'items/{itemId}': {
    description: 'The order service’s id of the item.',
    schema: { type: 'string', pattern: itemIdPattern.source },
  },
  'captures/{captureId}': providersId('capture'),
  'webhook-events/{id}': providersId('event'),
  'codec-sessions/{id}': id('session'),
  'notification-endpoints/{id}': id('endpoint'),
  'notifications/{id}': id('notification'),
  'sign-in/{link}': {
    description: 'The link of a session; it works once.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' },
  },
  'webhooks/{environment}': {
    description: 'The provider’s environment that sends it.',
    schema: { type: 'string', enum: ['sandbox', 'live'] },
  },
  '{environment}/{application}': {
    description: 'The application that the event is for.',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  },
  '{application}/{secret}': {
    description: 'The secret part of the registered webhook’s address.',
    schema: { type: 'string', minLength: 1, maxLength: 512 },
  },
};

/** Describes the parameters in the paths of a document. Their routes only name them. */
export function describePathParameters({ paths }: OpenAPIObject): void {
  for (const [path, methods] of Object.entries(paths)) {
    for (const operation of Object.values(methods) as Operation[]) {
      const others = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'path');
      const own = parametersIn(path);
      operation.parameters = [...own, ...others];
      // An address that cannot be decoded.
      if (own.length > 0) operation.responses['400'] ??= problemResponse(400);
    }
  }
}

function parametersIn(path: string) {
  const segments = path.split('/');
  return segments.flatMap((segment, at) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return [];
    return [{ name, in: 'path', required: true, ...parameters[`${segments[at - 1]}/${segment}`] }];
  });
}
