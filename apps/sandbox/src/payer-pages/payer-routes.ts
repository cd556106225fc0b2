import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { PaymentRow } from '../database/tables.js';
import { writeAmount } from '../money/amount.js';
import { html, type Html } from '../pages/html.js';
import { page, PAGE_HEADERS } from '../pages/payer-page.js';
import type { SandboxContext } from '../sandbox-context.js';
import {
  approvePayment,
  cancelApproval,
  findByToken,
  returnAddress,
  standingOf,
  type PayerStanding,
} from './approve-payment.js';

const tokenField = z.object({ token: z.string().regex(/^EC-[A-Z0-9]{17}$/) });

/** The pages on which the payer approves or cancels: plain forms, no script, no sign-in. */
export async function addPayerRoutes(app: FastifyInstance, context: SandboxContext): Promise<void> {
  await app.register(formbody, { bodyLimit: 4096 });

  app.get('/checkout', async (request, reply) => {
    const token = readToken(request.query);
    const payment = token === undefined ? undefined : await findByToken(context, token);
    return showPayment(reply, payment);
  });

  app.post('/checkout/approve', async (request, reply) => {
    const token = readToken(request.body);
    const address = token === undefined ? undefined : await approvePayment(context, token);
    if (address === undefined) return showRefusal(context, reply, token);
    return reply.redirect(address, 303);
  });

  app.post('/checkout/cancel', async (request, reply) => {
    const token = readToken(request.body);
    const address = token === undefined ? undefined : await cancelApproval(context, token);
    if (address === undefined) return showRefusal(context, reply, token);
    return reply.redirect(address, 303);
  });
}

function readToken(source: unknown): string | undefined {
  return tokenField.safeParse(source).data?.token;
}

async function showRefusal(context: SandboxContext, reply: FastifyReply, token: string | undefined) {
  const payment = token === undefined ? undefined : await findByToken(context, token);
  return showPayment(reply.code(409), payment);
}

function showPayment(reply: FastifyReply, payment: PaymentRow | undefined): FastifyReply {
  reply.headers(PAGE_HEADERS);
  const standing = payment === undefined ? 'not_for_payer' : standingOf(payment, new Date());
  if (payment === undefined || standing === 'not_for_payer') {
    return reply
      .code(404)
      .send(page('Payment not found', html`<p>This link names no payment that waits for you.</p>`));
  }
  return reply.send(PAGES[standing](payment));
}

const PAGES: Readonly<Record<Exclude<PayerStanding, 'not_for_payer'>, (payment: PaymentRow) => string>> = {
  waiting: (payment) => page('Approve this payment?', approvalForm(payment)),
  approved: (payment) => page('Payment approved', approvedNotice(payment)),
  expired: () =>
    page(
      'Payment expired',
      html`<p role="status">The time to approve this payment is over. Nothing was paid.</p>`,
    ),
};

function approvalForm(payment: PaymentRow): Html {
  const token = payment.approval_token;
  return html`${summary(payment)}
    <div class="actions">
      <form method="post" action="/checkout/approve">
        <input type="hidden" name="token" value="${token}" />
        <button class="primary" type="submit">Approve</button>
      </form>
      <form method="post" action="/checkout/cancel">
        <input type="hidden" name="token" value="${token}" />
        <button class="plain" type="submit">Cancel</button>
      </form>
    </div>`;
}

function approvedNotice(payment: PaymentRow): Html {
  return html`<p role="status">You have approved this payment.</p>
    ${summary(payment)}
    <p><a href="${returnAddress(payment) ?? ''}">Return to the shop</a></p>`;
}

function summary(payment: PaymentRow): Html {
  const amount = `${writeAmount(payment.amount_minor, payment.currency)} ${payment.currency}`;
  const rows: [string, string | null][] = [
    ['Amount', amount],
    ['For', payment.description],
    ['To', payment.payee_email ?? `Account ${payment.payee_id}`],
    ['Kind', payment.intent === 'sale' ? 'Paid at once' : 'Held now, collected later'],
  ];
  return html`<dl>
    ${rows.flatMap(([term, text]) =>
      text === null
        ? []
        : [
            html`<dt>${term}</dt>
              <dd>${text}</dd>`,
          ],
    )}
  </dl>`;
}
