import type { World } from '../core/world.js';
import { type ActivityCommand, type Job, copiesOf, copyOf } from './history.js';
import type { Run } from './run.js';
import type { Workers } from './worker.js';

/** Regular activities: kept by the server, carried out by any worker, and tried again until one has ended. */
export class ActivityTasks {
  constructor(
    private readonly world: World,
    private readonly workers: Workers,
    private readonly add: (run: Run, job: Job) => void,
  ) {}

  dispatch(run: Run, command: ActivityCommand, attempt: number): void {
    const { clock, draws, faults } = this.world;
    const isWaiting = () => run.activities.get(command.seq) === command && !run.ended;
    let isOver = false;
    const again = (ms: number) => {
      if (isOver || !isWaiting()) return;
      isOver = true;
      clock.after(ms, () => this.dispatch(run, command, attempt + 1));
    };
    const backOff = Math.min(
      command.options.longestRetryMs,
      command.options.firstRetryMs * 2 ** (attempt - 1),
    );
    clock.after(draws.between('dispatch', 2, 20), () => {
      if (!isWaiting()) return;
      const worker = this.workers.choose(undefined);
      if (!worker) return again(1_000);
      if (faults.strikes('activity death', 0.03, `${worker.name} dies in ${command.name}`)) {
        worker.atEffect(draws.between('death', 1, 4), () => this.workers.kill(worker));
      }
      clock.after(command.options.startToCloseMs, () => again(0));
      const isReplyLost = faults.strikes(
        'activity reply lost',
        0.02,
        `that ${command.name} has ended is lost`,
      );
      worker.perform(command.name, copiesOf(command.args)).then(
        (result) => {
          return clock.after(2, () => {
            if (isReplyLost || !isWaiting()) return;
            run.activities.delete(command.seq);
            this.add(run, { type: 'activityEnded', seq: command.seq, result: copyOf(result) });
          });
        },
        () => clock.after(2, () => again(backOff)),
      );
    });
  }
}
