import { z } from 'zod';
import { problemCodes } from './problem-codes.js';

/** The shape of every error answer, for the OpenAPI document (RFC 9457, application/problem+json). */
export const problemDocument = z
  .object({
    type: z.string().meta({ description: 'Identifies the kind of problem.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    errors: z
      .array(
        z.object({
          pointer: z.string().optional().meta({ description: 'JSON pointer into the request body.' }),
          header: z.string().optional(),
          parameter: z.string().optional(),
          detail: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'The parts of the request that are wrong.' }),
    code: z.enum(problemCodes as [string, ...string[]]).meta({
      description: 'Why, for programs. More codes may follow.',
    }),
    requestId: z.string().optional().meta({
      description: 'Names the request in the logs, like the header `x-request-id` of every answer.',
    }),
    providerCode: z.string().optional().meta({
      description: 'Of a decline: the name of the provider’s error, such as `INSTRUMENT_DECLINED`.',
    }),
    providerDebugId: z
      .string()
      .optional()
      .meta({ description: 'Of a decline: the id to give to the provider’s support.' }),
    currentState: z
      .string()
      .optional()
      .meta({ description: 'The state of the resource that the request was about.' }),
    allowedActions: z.array(z.string()).optional(),
    currentVersion: z
      .int()
      .optional()
      .meta({ description: 'The version of the resource, where `If-Match` names another one.' }),
    missing: z
      .array(z.enum(['database', 'temporal', 'clock']))
      .optional()
      .meta({
        description: 'What the process cannot reach; `clock` if its own differs from the database’s.',
      }),
    paymentId: z.string().optional(),
    refundId: z.string().optional(),
    planId: z.string().optional(),
    subscriptionId: z.string().optional(),
    payoutId: z.string().optional(),
  })
  .meta({ id: 'Problem' });
