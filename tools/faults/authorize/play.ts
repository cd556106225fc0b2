import { setTimeout as sleep } from 'node:timers/promises';
import type { Cast } from '../lifecycle.js';
import type { Command, PaymentView } from '../order-service.js';
import { approvedAtOncePayee, type AuthorizePlan, decimal } from './plan.js';
import { acceptedCommands, type AuthorizeRecord, paymentIdOf } from './record.js';

/** A failed command (402) is given again under a fresh key, as an order service would: so many times in all. */
const mostTries = 3;

const beforeTheHold: ReadonlySet<string> = new Set(['creating', 'awaiting_approval', 'authorizing']);
/** The engine is still at work; any other state is a rest or an end. */
const busy: ReadonlySet<string> = new Set([...beforeTheHold, 'capturing', 'voiding']);

interface Scene extends Cast {
  readonly plan: AuthorizePlan;
  readonly record: AuthorizeRecord;
  readonly signal: AbortSignal;
}

/** Plays the whole story; every request and its answers are on record from the moment they are made. */
export async function playAuthorize(
  plan: AuthorizePlan,
  record: AuthorizeRecord,
  cast: Cast,
  signal: AbortSignal,
): Promise<void> {
  const scene = { ...cast, plan, record, signal };
  const created = await order(scene);
  if (created.state === 'awaiting_approval') await playPayer(scene, created.approvalUrl ?? '');
  const held = await settled(scene, created.id);
  if (held.state === 'authorized') await playEnding(scene, `/v1/payments/${held.id}`);
  await settled(scene, held.id);
  if (plan.repeatsWhatIsDone) await repeatAccepted(scene);
}

/** When nothing fails any more: every accepted request once more, then the engine's last word. */
export async function takeStock(record: AuthorizeRecord, cast: Cast, signal: AbortSignal): Promise<void> {
  await repeatAccepted({ orderService: cast.orderService, record, signal });
  const id = paymentIdOf(record);
  if (id !== undefined) record.final = await cast.orderService.read(id, signal);
}

async function order({ plan, record, orderService, signal }: Scene): Promise<PaymentView> {
  const { orderId, minor, exponent, currency, approval, ending } = plan;
  const command = orderService.newCommand('create', '/v1/payments', {
    orderId,
    intent: 'authorize',
    amount: { value: decimal(minor, exponent), currency },
    returnUrl: `https://shop.example/orders/${orderId}/paid`,
    cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
    capturePolicy: { mode: ending === 'capture by policy' ? 'automatic' : 'manual' },
    ...(approval === 'at once' && { payee: { email: approvedAtOncePayee } }),
  });
  record.commands.push(command);
  await orderService.submit(command, signal);
  if (!command.payment) throw new Error(`order ${orderId} was not taken: ${command.detail ?? ''}`);
  return command.payment;
}

async function playPayer({ plan, payer, signal }: Scene, approvalUrl: string): Promise<void> {
  await sleep(plan.thinkMs, undefined, { signal });
  if (plan.ending === 'cancel') {
    await payer.follow(await payer.cancel(approvalUrl, signal), signal);
    return;
  }
  const returnAddress = await payer.approve(approvalUrl, signal);
  if (plan.approval === 'by a payer who never returns') return;
  const tabs = plan.approval === 'by a payer who returns thrice' ? 3 : 1;
  await Promise.all(Array.from({ length: tabs }, () => payer.follow(returnAddress, signal)));
}

async function settled({ orderService, signal }: Scene, id: string): Promise<PaymentView> {
  return orderService.until(id, ({ state }) => !busy.has(state), signal);
}

async function playEnding(scene: Scene, payment: string): Promise<void> {
  const { plan } = scene;
  await sleep(plan.thinkMs, undefined, { signal: scene.signal });
  const money = (minor: number) => ({
    amount: { value: decimal(minor, plan.exponent), currency: plan.currency },
  });
  switch (plan.ending) {
    case 'capture':
      await capture(scene, payment, {});
      return;
    case 'capture in two parts':
      if (await capture(scene, payment, money(plan.part)))
        await capture(scene, payment, money(plan.minor - plan.part));
      return;
    case 'capture a part and release the rest':
      await capture(scene, payment, { ...money(plan.part), final: true });
      return;
    case 'capture a part and void the rest':
      if (await capture(scene, payment, money(plan.part))) await release(scene, payment);
      return;
    case 'void':
      await release(scene, payment);
      return;
    case 'capture and void at once':
      await race(scene, payment);
      return;
    case 'capture by policy':
    case 'keep the hold':
    case 'cancel':
  }
}

/** One of the two wins. Should the winner then fail at the provider, the order service still wants the hold ended. */
async function race(scene: Scene, payment: string): Promise<void> {
  const capturing = give(scene, 'capture', `${payment}/captures`, {});
  const voiding = give(scene, 'void', `${payment}/void`, {});
  const outcomes = await Promise.all([capturing, voiding]);
  if (!outcomes.some(({ outcome }) => outcome === 'succeeded')) await release(scene, payment);
}

function capture(scene: Scene, payment: string, body: object): Promise<boolean> {
  return insist(scene, 'capture', `${payment}/captures`, body);
}

function release(scene: Scene, payment: string): Promise<boolean> {
  return insist(scene, 'void', `${payment}/void`, {});
}

async function insist(scene: Scene, kind: Command['kind'], path: string, body: object): Promise<boolean> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const { outcome } = await give(scene, kind, path, body);
    if (outcome !== 'failed') return outcome === 'succeeded';
  }
  return false;
}

async function give(scene: Scene, kind: Command['kind'], path: string, body: object): Promise<Command> {
  const command = scene.orderService.newCommand(kind, path, body);
  scene.record.commands.push(command);
  await scene.orderService.submit(command, scene.signal);
  return command;
}

async function repeatAccepted({
  record,
  orderService,
  signal,
}: Pick<Scene, 'record' | 'orderService' | 'signal'>): Promise<void> {
  for (const first of acceptedCommands(record)) {
    const again: Command = { ...first, outcome: 'open' };
    delete again.captureId;
    record.repeats.push({ first, again });
    await orderService.submit(again, signal);
  }
}
