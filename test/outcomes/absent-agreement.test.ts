import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findExecutedAgreement } from '#worker/provider/find-agreement.js';
import { findPlanByReference } from '#worker/provider/find-plan.js';
import type { PaymentsClient } from '#payments-client';
import { agreementRequest, planRequest } from '../client/billing-requests.js';
import { ConnectedSandbox, key } from '../client/connected-sandbox.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

let client: PaymentsClient;
const sandbox = forAllTests(() => ConnectedSandbox.start());
beforeAll(() => {
  client = sandbox.connect();
});
afterEach(async () => {
  await sandbox.service.request('DELETE', '/admin/faults');
});

/** @returns the address that its payer comes back to, by which a plan and its agreements are known for ours. */
async function executed(): Promise<string> {
  const returnUrl = `https://shop.example/${randomUUID()}`;
  const { id: planId } = await client.plans.create(
    { ...planRequest, merchantPreferences: { ...planRequest.merchantPreferences, returnUrl } },
    key(),
  );
  await client.plans.activate(planId);
  const { token } = await client.agreements.create({ ...agreementRequest, planId }, key());
  await sandbox.service.request('POST', `/admin/billing-agreements/${token}/approve`);
  await client.agreements.execute(token, key());
  return returnUrl;
}

async function cutShort(operation: string, remove: readonly string[]): Promise<void> {
  await sandbox.service.switchOnFault({ operation, kind: 'reshape', remove, times: null });
}

/** The event of its creation may take a moment. */
async function found(returnUrl: string): Promise<unknown> {
  return await until(
    () => find(returnUrl),
    (seen) => seen !== 'absent',
    'the event',
  );
}

const find = async (returnUrl: string) =>
  await findExecutedAgreement(client, returnUrl, { since: new Date(), until: new Date() });

describe('the search for an agreement whose execution was not answered', () => {
  it('finds it by its return address, and proves another one absent', async () => {
    const returnUrl = await executed();
    expect(await found(returnUrl)).toEqual({ agreementId: expect.any(String) });
    expect(await find(`${returnUrl}/other`)).toBe('absent');
  });

  it.each([
    ['resources', ['events[].resource']],
    ['addresses', ['**.return_url']],
  ])('does not accept events without their %s as proof of absence', async (_, remove) => {
    const returnUrl = await executed();
    await found(returnUrl);
    await cutShort('event.list', remove);
    expect(await find(returnUrl)).toBe('unreadable');
  });

  it.each([
    ['its events', 'events'],
    ['one that it counts', 'events[]'],
  ])('does not accept a page without %s as proof', async (_, removed) => {
    const returnUrl = await executed();
    await found(returnUrl);
    await cutShort('event.list', [removed]);
    await expect(find(returnUrl)).rejects.toMatchObject({ name: 'MalformedAnswerError' });
  });
});

describe('the search for a plan whose creation was not answered', () => {
  it('does not accept plans of its name without a visible reference as proof of absence', async () => {
    const returnUrl = await executed();
    expect(await findPlanByReference(client, planRequest.name, returnUrl)).toMatchObject({
      merchantPreferences: { returnUrl },
    });
    expect(await findPlanByReference(client, planRequest.name, `${returnUrl}/other`)).toBe('absent');
    await cutShort('plan.get', ['**.return_url']);
    expect(await findPlanByReference(client, planRequest.name, returnUrl)).toBe('unreadable');
  });

  it.each([
    ['its plans', ['plans']],
    ['its plans and their total', ['plans', 'total_items']],
    ['one that its total counts', ['plans[0]']],
  ])('does not accept a page without %s as proof of absence', async (_, remove) => {
    const returnUrl = await executed();
    await cutShort('plan.list', remove);
    expect(await findPlanByReference(client, planRequest.name, returnUrl)).toBe('unreadable');
  });
});
