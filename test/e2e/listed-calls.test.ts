import { expect, it } from 'vitest';
import type { CallListAnswer } from '#api/wire/provider-call.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { providerIdOf } from './payment-rows.js';

const engine = forAllTests(startEngine);

interface Evidence {
  readonly attempts: readonly { readonly reference: string }[];
}

interface Linking {
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/** Captured, although the reply to the capture was lost. @returns the payment's id. */
async function capturedInDoubt(): Promise<string> {
  const { orders, sandbox } = engine;
  const { id } = (await orders.order()).body;
  await orders.comeBack(await sandbox.approve(await providerIdOf(engine, id)));
  await orders.reaches(id, 'authorized');
  const { clientId } = sandbox;
  await sandbox.fault({ clientId, operation: 'authorization.capture', kind: 'drop_reply', times: 1 });
  await orders.capture(id);
  await orders.reaches(id, 'captured');
  return id;
}

/** All pages of the list that the payment links to, newest first. */
async function listedCalls(id: string): Promise<CallListAnswer['data']> {
  const { links } = await engine.orders.read<Linking>(`/v1/payments/${id}`);
  const path = links.find(({ rel }) => rel === 'calls')?.href.replace(engine.apiUrl, '') ?? '';
  const calls: CallListAnswer['data'] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page: CallListAnswer = await engine.orders.read(`${path}?limit=2${from}`);
    calls.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return calls;
}

function isPost({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'POST' && path.startsWith('/v1/payments/');
}

function nameOf({ operation, requestId }: { readonly operation: string; readonly requestId: string | null }) {
  return `${operation} ${requestId}`;
}

it('lists each POST that the provider got for a payment in order, also one whose reply was lost', async () => {
  const id = await capturedInDoubt();
  const listed = (await listedCalls(id)).toReversed();
  const posts = listed.filter(isPost);
  const received = await engine.sandbox.calls(`clientId=${engine.sandbox.clientId}&limit=1000`);
  expect(posts.map(nameOf)).toEqual(received.filter(isPost).toReversed().map(nameOf));
  expect(posts.map(({ operation, status }) => [operation, status])).toEqual([
    ['payment.create', 201],
    ['payment.execute', 200],
    ['authorization.capture', null],
  ]);
  const { attempts } = await engine.orders.review<Evidence>(id);
  expect(posts.map(({ reference }) => reference)).toEqual(attempts.map(({ reference }) => reference));

  const byDebugId = new Map(received.map((call) => [call.id, call]));
  for (const { debugId, operation, method, status } of listed.filter((call) => call.status !== null))
    expect(byDebugId.get(debugId ?? ''), operation).toMatchObject({ operation, method, status });
  // The read that found the capture comes after it.
  expect(listed.at(-1)).toMatchObject({ method: 'GET', status: 200 });
});
