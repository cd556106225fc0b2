import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { PaymentRow } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { html } from '../pages/html.js';
import { page, PAGE_HEADERS } from '../pages/payer-page.js';
import type { SandboxContext } from '../sandbox-context.js';
import { approvalForm, approvedNotice } from './approval-page.js';
import { approvePayment, cancelApproval, findByToken, payersFor, standingOf } from './approve-payment.js';

const tokenField = z.object({ token: z.string().regex(/^EC-[A-Z0-9]{17}$/) });
const accountField = z.object({
  accountId: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional(),
});

/** The pages on which the payer approves or cancels: plain forms, no script, no sign-in. */
export async function addPayerRoutes(app: FastifyInstance, context: SandboxContext): Promise<void> {
  await app.register(formbody, { bodyLimit: 4096 });

  app.get('/checkout', (request, reply) => showPayment(context, reply, readToken(request.query)));

  app.post('/checkout/approve', async (request, reply) => {
    const token = readToken(request.body);
    const account = accountField.safeParse(request.body);
    const address =
      token === undefined || !account.success
        ? undefined
        : await approvePayment(context, token, account.data.accountId).catch(nothingForUnknownAccount);
    if (address === undefined) return showPayment(context, reply.code(409), token);
    return reply.redirect(address, 303);
  });

  app.post('/checkout/cancel', async (request, reply) => {
    const token = readToken(request.body);
    const address = token === undefined ? undefined : await cancelApproval(context, token);
    if (address === undefined) return showPayment(context, reply.code(409), token);
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

async function showPayment(
  context: SandboxContext,
  reply: FastifyReply,
  token: string | undefined,
): Promise<FastifyReply> {
  reply.headers(PAGE_HEADERS);
  const payment = token === undefined ? undefined : await findByToken(context, token);
  const standing = payment === undefined ? 'not_for_payer' : standingOf(payment, new Date());
  if (payment === undefined || standing === 'not_for_payer') {
    return reply
      .code(404)
      .send(page('Payment not found', html`<p>This link names no payment that waits for you.</p>`));
  }
  return reply.send(await pageOf(context, payment, standing));
}

async function pageOf(
  context: SandboxContext,
  payment: PaymentRow,
  standing: 'waiting' | 'approved' | 'expired',
): Promise<string> {
  if (standing === 'expired') {
    const notice = html`<p role="status">The time to approve this payment is over. Nothing was paid.</p>`;
    return page('Payment expired', notice);
  }
  const payers = payment.state === 'created' ? await payersFor(context, payment.approval_token) : [];
  return standing === 'waiting'
    ? page('Approve this payment?', approvalForm(payment, payers))
    : page('Payment approved', approvedNotice(payment, payers));
}
