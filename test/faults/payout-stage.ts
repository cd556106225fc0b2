import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { startSandbox } from '#sandbox/sandbox.js';
import { payoutActivities } from '#worker/payouts/index.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer, type Database, openDatabase } from '#database/connection';
import type { PayoutStepInput } from '#workflows/contract';
import { advance, type WaitPolicy } from '#workflows/lifecycle';
import { orderedPayout, payoutLifecycle } from '#workflows/lifecycle/payout';
import { createEngineDatabase, createSandboxDatabase } from '../helpers/database.js';
import { noRuns } from '../helpers/no-runs.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { acceptPayoutTo } from '../payouts/payout-run.js';

const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };

/** Workers that carry a payout on from what Temporal had persisted, their rows and a provider. */
export class PayoutStage {
  private constructor(
    readonly db: Database,
    readonly sandbox: SandboxAdmin,
    private readonly databaseUrl: string,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<PayoutStage> {
    const [engine, sandbox] = await Promise.all([createEngineDatabase(), createSandboxDatabase()]);
    const [clientId, clientSecret] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    const service = await startSandbox({
      databaseUrl: sandbox.url,
      port: 0,
      defaultApplication: { clientId, clientSecret },
      logLevel: 'silent',
    });
    const db = openDatabase(engine.url, { poolSize: 2 });
    return new PayoutStage(
      db,
      new SandboxAdmin(service.url, clientId, clientSecret),
      engine.url,
      async () => {
        await service.close();
        await db.destroy();
        await Promise.all([engine.drop(), sandbox.drop()]);
      },
    );
  }

  hire(baseUrl: string = this.sandbox.url) {
    const { clientId, clientSecret } = this.sandbox;
    const context = {
      db: openDatabase(this.databaseUrl, { poolSize: 2 }),
      changes: new ChangeAnnouncer(this.databaseUrl),
      runs: noRuns,
      providers: new ProviderClients([
        {
          environment: 'sandbox',
          application: 'shop',
          baseUrl,
          clientId,
          clientSecret,
          webhookSecret: randomBytes(24).toString('hex'),
          webhookAuthentication: 'signature',
        },
      ]),
    };
    return {
      context,
      activities: payoutActivities(context, codecKeys),
      /** From here on nothing that it does reaches a row. */
      die: () => context.db.destroy(),
      bury: () => Promise.all([context.providers.close(), context.changes.close()]),
    };
  }

  async ordered(...receivers: string[]): Promise<PayoutStepInput> {
    return await this.orderedWith({}, ...receivers);
  }

  async orderedWith(patience: Partial<WaitPolicy>, ...receivers: string[]): Promise<PayoutStepInput> {
    const { identity, order } = await acceptPayoutTo(this.db, receivers, { codecKeys, patience });
    return { identity, state: orderedPayout(order), version: 0, timeline: [] };
  }

  async booksOf(input: PayoutStepInput): Promise<string[]> {
    return (await this.movementsOf(input)).map(({ kind }) => kind);
  }

  /** The id of the batch, as an operator finds it in the provider's dashboard. */
  async batchOf(input: PayoutStepInput): Promise<string> {
    const [movement] = await this.movementsOf(input);
    const path = `/v1/payments/payouts-item/${movement?.payoutItemId}`;
    return (await this.sandbox.callAsOwner<{ payout_batch_id: string }>('GET', path)).payout_batch_id;
  }

  private async movementsOf({ identity: { payoutId } }: PayoutStepInput): Promise<readonly Movement[]> {
    const { url, clientId } = this.sandbox;
    const response = await fetch(`${url}/admin/books/movements?clientId=${clientId}&limit=100`);
    const { movements } = (await response.json()) as { movements: Movement[] };
    return movements.filter(({ invoiceNumber }) => invoiceNumber === payoutId);
  }
}

interface Movement {
  readonly kind: string;
  readonly invoiceNumber: string;
  readonly payoutItemId: string;
}

export type Hired = ReturnType<PayoutStage['hire']>;

/** Whatever it was about to write is lost with it. */
export async function dies(worker: Hired, atWork: Promise<unknown>): Promise<void> {
  const lost = atWork.then(
    () => 'written',
    () => 'lost',
  );
  await worker.die();
  expect(await lost).toBe('lost');
}

/** The next worker is given the same step, for nobody has persisted its outcome; then the one that falls due. */
export async function carryOn({ activities }: Hired, input: PayoutStepInput): Promise<PayoutStepInput> {
  const found = await outcomeOf(activities.createPayout(input));
  expect(found.event.type).toBe('outcomeUnknown');
  const doubted = advance(payoutLifecycle, input, found.event, found.at).position;
  const due = payoutLifecycle.nextDeadline(doubted.state);
  const asked = advance(payoutLifecycle, doubted, { type: 'stepCameDue' }, due?.at ?? 0).position;
  return { identity: input.identity, timeline: [], ...asked };
}

export async function retire(...workers: Hired[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.die()));
  await Promise.all(workers.map((worker) => worker.bury()));
}
