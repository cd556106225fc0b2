import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AgreementRow } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { IDENTIFIER } from '../http/identifiers.js';
import { html } from '../pages/html.js';
import { page, PAGE_HEADERS } from '../pages/payer-page.js';
import type { SandboxContext } from '../sandbox-context.js';
import { approvalForm, approvedNotice } from './agreement-approval-page.js';
import {
  approvalStandingOf,
  approveAgreement,
  cancelAgreementApproval,
  findByToken,
  payersFor,
} from './approve-agreement.js';

const tokenField = z.object({ token: z.string().regex(/^EC-[A-Z0-9]{17}$/) });
const accountField = z.object({ accountId: z.string().regex(IDENTIFIER).optional() });

/** The pages on which the payer approves or cancels an agreement: plain forms, no script, no sign-in. */
export async function addAgreementPages(app: FastifyInstance, context: SandboxContext): Promise<void> {
  await app.register(formbody, { bodyLimit: 4096 });

  app.get('/checkout/agreement', (request, reply) => show(context, reply, readToken(request.query)));

  app.post('/checkout/agreement/approve', async (request, reply) => {
    const token = readToken(request.body);
    const account = accountField.safeParse(request.body);
    const address =
      token === undefined || !account.success
        ? undefined
        : await approveAgreement(context, token, account.data.accountId).catch(nothingForUnknownAccount);
    if (address === undefined) return show(context, reply.code(409), token);
    return reply.redirect(address, 303);
  });

  app.post('/checkout/agreement/cancel', async (request, reply) => {
    const token = readToken(request.body);
    const address = token === undefined ? undefined : await cancelAgreementApproval(context, token);
    if (address === undefined) return show(context, reply.code(409), token);
    return reply.redirect(address, 303);
  });
}

function readToken(source: unknown): string | undefined {
  return tokenField.safeParse(source).data?.token;
}

/** Whoever sends another form than the page’s own sees the page again. */
function nothingForUnknownAccount(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

async function show(
  context: SandboxContext,
  reply: FastifyReply,
  token: string | undefined,
): Promise<FastifyReply> {
  reply.headers(PAGE_HEADERS);
  const agreement = token === undefined ? undefined : await findByToken(context, token);
  if (agreement === undefined) {
    return reply
      .code(404)
      .send(page('Agreement not found', html`<p>This link names no agreement that waits for you.</p>`));
  }
  return reply.send(await pageOf(context, agreement));
}

async function pageOf(context: SandboxContext, agreement: AgreementRow): Promise<string> {
  const standing = approvalStandingOf(agreement, new Date());
  if (standing === 'expired') {
    const notice = html`<p role="status">The time to approve this agreement is over. Nothing was paid.</p>`;
    return page('Agreement expired', notice);
  }
  const payers = agreement.id === null ? await payersFor(context, agreement) : [];
  return standing === 'waiting'
    ? page('Approve these regular payments?', approvalForm(agreement, payers))
    : page('Agreement approved', approvedNotice(agreement, payers));
}
