import { expect, it } from 'vitest';
import { historyEntries } from '#api/console/history/history-entries.js';
import { acceptCommand } from '#database/commands';
import { readSubjectHistory } from '#database/console';
import { writeTransition } from '#database/transitions';
import { type PaymentIdentity, paymentSubject } from '#workflows/contract';
import { capture, payment } from '../lifecycle/payment/sample-payments.js';
import {
  captureCommand,
  newId,
  owner,
  storePayment,
  transition,
  useEngineDatabase,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

const earlierTask = Date.parse('2026-01-01T12:00:00Z');
const laterTask = earlierTask + 10_000;

async function capturesIn(identity: PaymentIdentity) {
  const history = await readSubjectHistory(engine.db, paymentSubject(identity));
  return historyEntries(history, owner, 'USD').filter(({ text }) => text.startsWith('asks: capture'));
}

it('a command that has succeeded while the row of its payment waits is not called more than that', async () => {
  const identity = await storePayment(engine.db);
  const succeeds = async (minor: number) => {
    const id = newId('cmd');
    await acceptCommand(engine.db, captureCommand(identity, { id, parameters: { minor } }));
    return [{ commandId: id, kind: 'capture', status: 'succeeded' }] as const;
  };
  const first = capture(30_00);
  const partly = { ...payment('partially_captured'), captures: [first] };
  const write = async (
    state: typeof partly,
    version: number,
    taskStartedAt: number,
    commands: Awaited<ReturnType<typeof succeeds>>,
  ) =>
    await writeTransition(engine.db, {
      ...transition(identity, withOwnIds(state, identity), version),
      taskStartedAt,
      commands,
    });
  await write(partly, 3, earlierTask, await succeeds(30_00));
  // The next task does not know the first capture, whose read was lost: the row waits.
  const second = await succeeds(20_00);
  const secondMade = capture(20_00, { captureId: 'CAP-2' });
  await write({ ...partly, captures: [secondMade] }, 4, laterTask, second);
  expect(await capturesIn(identity)).toMatchObject([
    { text: 'asks: capture of 30.00 USD; succeeded', mark: 'good' },
    {
      text: 'asks: capture of 20.00 USD; succeeded, but the payment does not show it yet: its run must find it again',
      mark: 'caution',
    },
  ]);
  await write({ ...partly, captures: [first, secondMade] }, 5, laterTask, second);
  expect((await capturesIn(identity)).map(({ text }) => text)).toEqual([
    'asks: capture of 30.00 USD; succeeded',
    'asks: capture of 20.00 USD; succeeded',
  ]);
});
