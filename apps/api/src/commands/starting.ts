import { Inject, Injectable } from '@nestjs/common';
import { Runs, TemporalAwayError } from '#runs';
import type { RunStart } from '#workflows/contract';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { Changes } from './changes.js';

interface Accepted {
  readonly id: string;
  /** 0 until its run has written its first row. */
  readonly version: number;
}

/** Starts the run of what was just accepted, and waits for its first answer. */
@Injectable()
export class Starting {
  constructor(
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the row as it stands when it is answered, or when the waiting is over.
   * @throws {TemporalAwayError} when the run may not have started; the same request again starts it.
   */
  async begin<Row extends Accepted>(
    accepted: Row,
    {
      run,
      look,
      isAnswered,
    }: {
      readonly run: () => RunStart;
      /** Reads the row. */
      readonly look: () => Promise<Row>;
      readonly isAnswered: (row: Row) => boolean;
    },
  ): Promise<Row> {
    // Version 0: nobody knows whether the run was ever started. Starting it twice is harmless, not at all is not.
    if (accepted.version === 0) await this.start(run(), look);
    return await this.changes.until(accepted.id, this.config.answerWithinMs, {
      look,
      satisfies: isAnswered,
      known: accepted,
    });
  }

  private async start(run: RunStart, look: () => Promise<Accepted>): Promise<void> {
    try {
      await this.runs.start(run);
    } catch (error) {
      // Temporal's answer may be lost and the run started all the same: its first row proves that.
      const isProved = error instanceof TemporalAwayError && (await look()).version > 0;
      if (!isProved) throw error;
    }
  }
}
