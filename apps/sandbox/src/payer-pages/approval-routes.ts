import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { identifier } from '../http/validation.js';
import { PAGE_HEADERS } from '../pages/payer-page.js';
import type { Approvable } from './approvable.js';
import { approvalPage, notFoundPage } from './approval-page.js';

const tokenField = z.object({ token: z.string().regex(/^EC-[A-Z0-9]{17}$/) });
const accountField = z.object({ accountId: identifier.optional() });

/** The page on which the payer approves or cancels: plain forms, no script, no sign-in. */
export async function addApprovalRoutes(
  app: FastifyInstance,
  context: SandboxContext,
  approvable: Approvable,
): Promise<void> {
  const { path } = approvable;
  await app.register(formbody, { bodyLimit: 4096 });

  app.get(path, (request, reply) => show(context, approvable, reply, readToken(request.query)));

  app.post(`${path}/approve`, async (request, reply) => {
    const token = readToken(request.body);
    const account = accountField.safeParse(request.body);
    const address =
      token === undefined || !account.success
        ? undefined
        : await approvable.approve(context, token, account.data.accountId).catch(nothingForUnknownAccount);
    if (address === undefined) return show(context, approvable, reply.code(409), token);
    return reply.redirect(address, 303);
  });

  app.post(`${path}/cancel`, async (request, reply) => {
    const token = readToken(request.body);
    const address = token === undefined ? undefined : await approvable.cancel(context, token);
    if (address === undefined) return show(context, approvable, reply.code(409), token);
    return reply.redirect(address, 303);
  });
}

function readToken(source: unknown): string | undefined {
  return tokenField.safeParse(source).data?.token;
}

/** A form that is not the page's own is answered with the page again. */
function nothingForUnknownAccount(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

async function show(
  context: SandboxContext,
  approvable: Approvable,
  reply: FastifyReply,
  token: string | undefined,
): Promise<FastifyReply> {
  reply.headers(PAGE_HEADERS);
  const approval = token === undefined ? undefined : await approvable.find(context, token);
  if (approval === undefined) return reply.code(404).send(notFoundPage(approvable));
  return reply.send(approvalPage(approvable, approval));
}
