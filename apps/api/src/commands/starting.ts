import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Runs, TemporalAwayError } from '#runs';
import type { OrderedBy, RunStart, Subject } from '#workflows/contract';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { ChangeWaits } from './wait-for-change.js';

interface Accepted {
  readonly id: string;
  /** 0 until its run has written its first row. */
  readonly version: number;
}

/** Starts the run of an accepted order, and waits for its first answer. */
@Injectable()
export class Starting {
  constructor(
    @Inject(Runs) private readonly runs: Runs,
    @Inject(ChangeWaits) private readonly changes: ChangeWaits,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the row when it is answered, or when the time is over.
   * @throws {TemporalAwayError} if the run may not have started; a repeat of the request starts it.
   */
  async begin<Row extends Accepted>(
    accepted: Row,
    {
      run,
      read,
      isAnswered,
      orderedBy,
    }: {
      readonly run: () => RunStart;
      /** Reads the row. */
      readonly read: () => Promise<Row>;
      readonly isAnswered: (row: Row) => boolean;
      readonly orderedBy: OrderedBy;
    },
  ): Promise<Row> {
    const wait = { read, satisfies: isAnswered, known: accepted };
    // Version 0: the run may not have started. A second start is harmless, a missing one is not.
    const start = async () => {
      if (accepted.version > 0) return false;
      await this.start({ ...run(), orderedBy }, read);
      return true;
    };
    return await this.changes.after(start, accepted.id, this.config.answerWithinMs, wait);
  }

  /** Makes the run of a subject read the provider and write the row, which was lost. */
  async requestLostRow(subject: Subject): Promise<void> {
    const event = { type: 'providerNotified', eventType: 'CHECK', isCheck: true } as const;
    await this.runs.signal(subject, { id: `check_${randomUUID()}`, event });
  }

  private async start(run: RunStart, read: () => Promise<Accepted>): Promise<void> {
    try {
      await this.runs.start(run);
    } catch (error) {
      // The run may have started although Temporal's answer was lost: its first write proves that.
      const isProved = error instanceof TemporalAwayError && (await read()).version > 0;
      if (!isProved) throw error;
    }
  }
}
