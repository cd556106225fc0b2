import type { Movement } from '#tools/sandbox-admin.js';
import type { Discrepancy } from '../discrepancy.js';
import { OrderService } from '../order-service.js';
import type { Random } from '../random.js';
import type { ReportedEnds } from '../reported-ends.js';
import { judgeNotifications } from './judge-notifications.js';
import { NotifiedShop } from './notified-shop.js';
import { ReadsAtReception } from './reads-at-reception.js';
import { Receiver } from './receiver.js';
import type { ReceiverFaults } from './receiver-faults.js';
import { pathOf, shownBy } from './reception.js';

/** What a campaign has learned of notifications. */
export interface NotificationReport {
  /** Different ones that came to their receivers. */
  readonly sent: number;
  readonly receiverFaults: ReceiverFaults;
  readonly discrepancies: readonly Discrepancy[];
}

/** All order services of a campaign as receivers of notifications. */
export class NotifiedShops {
  private constructor(private readonly shops: readonly NotifiedShop[]) {}

  /** Registers an endpoint for each application, before anything is ordered. */
  static async open({
    apiUrls,
    apiKeys,
    reported,
    random,
    signal,
  }: {
    readonly apiUrls: readonly string[];
    /** Of each application. */
    readonly apiKeys: readonly string[];
    readonly reported: ReportedEnds;
    readonly random: Random;
    readonly signal: AbortSignal;
  }): Promise<NotifiedShops> {
    const shops: NotifiedShop[] = [];
    for (const [place, apiKey] of apiKeys.entries()) {
      const orderService = new OrderService(apiUrls, apiKey, reported);
      const reads = new ReadsAtReception(orderService, random.fork(`reads ${place}`), signal);
      const receiver = await Receiver.start(random.fork(`receiver ${place}`), (reception) => {
        reported.noteNotification(reception.data, pathOf(shownBy(reception).name));
        reads.note(reception);
      });
      shops.push(new NotifiedShop(orderService, receiver, reads, signal));
    }
    const all = new NotifiedShops(shops);
    await Promise.all(shops.map((shop) => shop.register()));
    return all;
  }

  /** From now on every receiver takes everything. */
  async recover(): Promise<void> {
    await Promise.all(this.shops.map(({ receiver }) => receiver.recover()));
  }

  /** Waits until the engine has sent all that is due, and judges. @param readBooks is called then. */
  async judge(readBooks: () => Promise<readonly Movement[]>): Promise<NotificationReport> {
    const rested = await Promise.all(this.shops.map((shop) => shop.rest()));
    const movements = await readBooks();
    const found = rested.flatMap((notified) => judgeNotifications({ ...notified, movements }));
    const ids = rested.flatMap(({ receptions }) => receptions.map(({ id }) => id));
    return {
      sent: new Set(ids).size,
      receiverFaults: addFaults(this.shops.map(({ receiver }) => receiver.faults)),
      discrepancies: [...found, ...this.shops.flatMap(({ reads }) => reads.discrepancies)],
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.shops.map(({ receiver }) => receiver.close()));
  }
}

function addFaults(all: readonly ReceiverFaults[]): ReceiverFaults {
  const sum = (of: keyof ReceiverFaults): number => all.reduce((total, faults) => total + faults[of], 0);
  return {
    refused: sum('refused'),
    late: sum('late'),
    brokenOff: sum('brokenOff'),
    died: sum('died'),
  };
}
