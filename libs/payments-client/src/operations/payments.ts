import { hasId, post, read } from './operation.js';
import { authorization } from '../schemas/authorization.js';
import { capture } from '../schemas/capture.js';
import { type Payment, payment, paymentPage } from '../schemas/payment.js';
import { type Refund, refund } from '../schemas/refund.js';
import { sale } from '../schemas/sale.js';
import { accessToken } from '../schemas/token.js';

const PAYMENTS = '/v1/payments/payment';
const AUTHORIZATIONS = '/v1/payments/authorization';
const CAPTURES = '/v1/payments/capture';
const SALES = '/v1/payments/sale';
const REFUNDS = '/v1/payments/refund';

/** With the parts of another payment, an answer about this one is none. */
function hasOwnParts({ transactions }: Payment, asked: string): boolean {
  const isOwn = ({ paymentId }: { readonly paymentId: string | undefined }) =>
    paymentId === undefined || paymentId === asked;
  return transactions.every(
    ({ authorizations, captures, sales, refunds }) =>
      authorizations.every(isOwn) && captures.every(isOwn) && sales.every(isOwn) && refunds.every(isOwn),
  );
}

const isPayment = (payment: Payment, asked: string) => hasId(payment, asked) && hasOwnParts(payment, asked);

/** Of the capture or sale in the path. */
const isRefundOf = ({ captureId, saleId }: Refund, asked: string) => (captureId ?? saleId ?? asked) === asked;

// A repeated token request only creates another token.
export const requestToken = post('token', 'safe', () => '/v1/oauth2/token', accessToken);

export const createPayment = post('payment.create', 'reconcile', () => PAYMENTS, payment);
export const listPayments = read('payment.list', () => PAYMENTS, paymentPage);
export const getPayment = read('payment.get', (id) => `${PAYMENTS}/${id}`, payment, isPayment);
export const executePayment = post(
  'payment.execute',
  'keyed',
  (id) => `${PAYMENTS}/${id}/execute`,
  payment,
  isPayment,
);

export const getAuthorization = read(
  'authorization.get',
  (id) => `${AUTHORIZATIONS}/${id}`,
  authorization,
  hasId,
);
export const captureAuthorization = post(
  'authorization.capture',
  'reconcile',
  (id) => `${AUTHORIZATIONS}/${id}/capture`,
  capture,
);
export const voidAuthorization = post(
  'authorization.void',
  'keyed',
  (id) => `${AUTHORIZATIONS}/${id}/void`,
  authorization,
  hasId,
);
/** It may be answered with another authorization, of the same payment. */
export const reauthorizeAuthorization = post(
  'authorization.reauthorize',
  'reconcile',
  (id) => `${AUTHORIZATIONS}/${id}/reauthorize`,
  authorization,
);

export const getCapture = read('capture.get', (id) => `${CAPTURES}/${id}`, capture, hasId);
export const refundCapture = post(
  'capture.refund',
  'keyed',
  (id) => `${CAPTURES}/${id}/refund`,
  refund,
  isRefundOf,
);
export const getSale = read('sale.get', (id) => `${SALES}/${id}`, sale, hasId);
export const refundSale = post('sale.refund', 'keyed', (id) => `${SALES}/${id}/refund`, refund, isRefundOf);
export const getRefund = read('refund.get', (id) => `${REFUNDS}/${id}`, refund, hasId);
