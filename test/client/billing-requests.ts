import type {
  CreateAgreementRequest,
  CreatePayoutRequest,
  CreatePlanRequest,
  RefundRequest,
} from '#payments-client';
import { usd } from '../helpers/usd.js';

export const refundRequest: RefundRequest = { amount: usd('4.10'), invoiceNumber: 'refund-1' };

export const planRequest: CreatePlanRequest = {
  name: 'Magazine',
  description: 'Every month',
  type: 'fixed',
  paymentDefinitions: [
    {
      name: 'Regular',
      type: 'REGULAR',
      frequency: 'MONTH',
      frequencyInterval: 1,
      cycles: 12,
      amount: usd('10.6'),
      chargeModels: [{ type: 'TAX', amount: usd('1') }],
    },
  ],
  merchantPreferences: {
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/cancel',
    setupFee: usd('5'),
    autoBillAmount: 'YES',
    initialAmountFailAction: 'CONTINUE',
    maxFailAttempts: 3,
  },
};

export const agreementRequest: CreateAgreementRequest = {
  name: 'Magazine',
  description: 'Every month',
  startDate: '2030-01-01T00:00:00Z',
  planId: 'P-1',
  shippingAddress: { line1: '1 Leaf Street', city: 'San Jose', postalCode: '95112', countryCode: 'US' },
};

export const payoutRequest: CreatePayoutRequest = {
  senderBatchId: 'batch-1',
  emailSubject: 'Your share',
  items: [
    {
      recipientType: 'EMAIL',
      receiver: 'receiver@private.example',
      amount: usd('7.5'),
      senderItemId: 'item-1',
      note: 'Thanks',
    },
  ],
};
