import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '#sandbox/sandbox.js';
import { findPaymentByReference } from '#worker/provider/find-payment.js';
import { PaymentsClient } from '#payments-client';
import type { CreatePaymentRequest } from '#payments-client';
import { createSandboxDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';

const minute = 60_000;
const pageSize = 20;
const sought = { custom: 'pay_1', references: [], amount: { minor: 1_000, currency: 'USD' } };

describe('the search for a payment whose creation was not answered', () => {
  const [clientId, clientSecret] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  let service: RunningSandbox;
  let client: PaymentsClient;
  const operations: string[] = [];
  const note = ({ operation }: { operation: string }) => operations.push(operation);
  const database = forAllTests(createSandboxDatabase);
  beforeAll(async () => {
    const defaultApplication = { clientId, clientSecret };
    service = await startSandbox({
      databaseUrl: database.url,
      port: 0,
      defaultApplication,
      logLevel: 'silent',
    });
    client = new PaymentsClient({ baseUrl: service.url, clientId, clientSecret, onCall: note });
    for (let number = 1; number <= pageSize + 1; number += 1) await create(`pay_${number}`);
  });
  afterAll(async () => {
    await client.close();
    await service.close();
  });

  async function create(custom: string): Promise<void> {
    const amount = { value: '10.00', currency: 'USD' };
    const request: CreatePaymentRequest = {
      intent: 'authorize',
      returnUrl: 'https://shop.example/a',
      cancelUrl: 'https://shop.example/b',
      transactions: [{ amount, custom, invoiceNumber: custom }],
    };
    await client.payments.create(request, { requestId: custom });
  }

  it('finds the oldest one, on the last page', async () => {
    const now = Date.now();
    const within = { since: new Date(now), until: new Date(now) };
    const found = await findPaymentByReference(client, sought, within);
    expect(found).toMatchObject({ transactions: [{ custom: 'pay_1' }] });
  });

  it('reads no payments created after the last possible time of the one that it looks for', async () => {
    operations.length = 0;
    const longAgo = Date.now() - 30 * minute;
    const within = { since: new Date(longAgo), until: new Date(longAgo + minute) };
    expect(await findPaymentByReference(client, sought, within)).toBe('absent');
    expect(operations).toEqual(['payment.list']);
  });
});
