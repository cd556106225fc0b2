import {
  type PaymentOrder,
  type PaymentState,
  amountsOf,
  isTerminal,
  transition,
} from '#workflows/lifecycle/payment';
import type { Stage } from './stage.js';
import { capturePartBeside, workElsewhere } from './work-elsewhere.js';

const day = 86_400_000;

/** Cancels while the payer is awaited; asks for captures, voids and reauthorizations of what is held. */
export async function playOrderService(stage: Stage, order: PaymentOrder): Promise<void> {
  const { draws, clock } = stage.world;
  const { paymentId } = order;
  const asked = new Requests(stage, paymentId);
  if (draws.chance('order cancelled', 0.08)) await cancelOrder(stage, order, asked);
  await stage.until(() => asked.isHeld || asked.isOver);
  if (asked.isOver) return;
  const isBeside = stage.world.coincidence === 'part by hand beside an end';
  const wish = isBeside ? endBesidePart : draws.pick('wish', wishes);
  await clock.sleep(draws.spread('wish after', 5, draws.chance('slow shop', 0.2) ? 28 * day : 60_000));
  await wish(stage, asked, order.amount.minor * 0.4);
}

/** Often at the moment when the time for the approval is over. */
async function cancelOrder(
  stage: Stage,
  { paymentId, approvalBy }: PaymentOrder,
  asked: Requests,
): Promise<void> {
  const { draws, clock } = stage.world;
  await stage.until(() => stage.row(paymentId).status === 'awaiting_approval' || asked.isOver);
  const isLast = draws.chance('cancelled at the last moment', 0.5);
  const at = isLast ? approvalBy - clock.now + draws.between('around', -1_500, 1_500) : 0;
  await clock.sleep(Math.max(1, isLast ? at : draws.spread('cancelled after', 5, 60_000)));
  await asked.ask('cancel');
}

/** What the order service asks of a payment; the rows refuse what they show to be impossible. */
class Requests {
  constructor(
    private readonly stage: Stage,
    readonly paymentId: string,
  ) {}

  async ask(
    kind: 'capture' | 'void' | 'release' | 'reauthorize' | 'cancel',
    parameters: { readonly minor?: number; readonly final?: boolean } = {},
  ): Promise<void> {
    const { stage, paymentId } = this;
    await stage.command(
      paymentId,
      kind,
      (commandId) => ({ type: `${kind}Requested`, commandId, ...parameters }),
      (event) => transition(this.state, event as never, stage.world.clock.now).kind === 'refused',
    );
  }

  async untilHeld(): Promise<void> {
    await this.stage.until(() => this.isHeld || this.isOver);
  }

  get isHeld(): boolean {
    const isHeld = ['authorized', 'partially_captured'].includes(this.state.status);
    return isHeld || amountsOf(this.state).capturable > 0;
  }

  get isOver(): boolean {
    return isTerminal(this.state.status);
  }

  private get state(): PaymentState {
    return this.stage.row<PaymentState>(this.paymentId).state;
  }
}

type Wish = (stage: Stage, asked: Requests, part: number) => Promise<void>;

const capture: Wish = async (_stage, asked) => await asked.ask('capture');

const inParts: Wish = async ({ world: { clock, draws } }, asked, minor) => {
  await asked.ask('capture', { minor });
  await asked.untilHeld();
  await clock.sleep(draws.spread('next part', 5, 60_000));
  await asked.ask('capture');
};

const partAndRelease: Wish = async (_stage, asked, minor) => {
  await asked.ask('capture', { minor });
  await asked.untilHeld();
  await asked.ask('release');
};

const reauthorize: Wish = async ({ world: { clock, draws } }, asked, part) => {
  await clock.sleep(draws.spread('honoured', 2.9 * day, 20 * day));
  await asked.ask('reauthorize', draws.pick('reauthorized', [{}, {}, { minor: 11_000 }, { minor: part }]));
  await asked.untilHeld();
  await clock.sleep(draws.spread('captured after', 5, 60_000));
  if (draws.chance('captured after that', 0.7)) await asked.ask('capture');
};

const endBesidePart: Wish = async (stage, asked, minor) => {
  const isVoid = stage.world.draws.chance('voided beside', 0.6);
  const askForEnd = async () =>
    await (isVoid ? asked.ask('void') : asked.ask('capture', { minor, final: true }));
  await capturePartBeside(stage, asked, askForEnd);
};

/** As often as they are listed. */
const wishes: readonly Wish[] = [
  capture,
  capture,
  capture,
  inParts,
  inParts,
  partAndRelease,
  partAndRelease,
  async (_stage, asked) => await asked.ask('void'),
  async (_stage, asked) => await asked.ask('void'),
  async (_stage, asked) => void (await Promise.all([asked.ask('capture'), asked.ask('void')])),
  async (_stage, asked) => void (await Promise.all([asked.ask('capture'), asked.ask('void')])),
  async (_stage, asked, minor) => await asked.ask('capture', { minor, final: true }),
  async (_stage, asked, minor) =>
    void (await Promise.all([asked.ask('capture', { minor }), asked.ask('capture', { minor })])),
  async (_stage, asked) => void (await Promise.all([asked.ask('capture'), asked.ask('capture')])),
  reauthorize,
  reauthorize,
  () => Promise.resolve(),
  () => Promise.resolve(),
  workElsewhere,
  workElsewhere,
  workElsewhere,
  workElsewhere,
];
