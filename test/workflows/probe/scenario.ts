/** What a run of the probe is started with, and goes on with as another one. */
export interface ProbeInput {
  readonly diary?: readonly string[];
  readonly words?: readonly string[];
}

export interface ProbeActivities {
  carryOut(word: string): Promise<string>;
}

/** What comes to the run while it carries out a word; the word itself comes first. */
export interface Chapter {
  readonly word: string;
  readonly as: 'told' | 'asked';
  /** How long its activity is held at least. */
  readonly heldMs: number;
  /** Come in this order while the activity is held. */
  readonly meanwhile: readonly { readonly word: string; readonly as: 'told' | 'asked' }[];
  /** The worker is gone in the middle of its activity, and another one takes over. */
  readonly killsWorker?: true;
}

/** One server, real or fake, with workers that run the probe. */
export interface TestServer {
  /** Resolves when it is in the server's hands. */
  tell(word: string): Promise<void>;
  /** @returns what becomes of it. */
  ask(word: string): Promise<string>;
  /** Resolves when an activity of that word is under way, as often as it was begun. */
  begun(word: string, times: number): Promise<void>;
  release(word: string): void;
  /** Resolves when the run waits for what comes next. */
  idle(): Promise<void>;
  killWorker(): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** What the run has told of itself when it ended. */
  result(): Promise<readonly string[]>;
  /** Workflow tasks that were lost or failed. */
  failures(): Promise<number>;
}

export interface Reported {
  readonly diary: readonly string[];
  readonly answers: readonly string[];
  /** Words as their activities were begun, with those that were made again. */
  readonly begun: readonly string[];
  readonly failures: number;
}

/** Counts and holds the activities of one testServer. */
export class Holding implements ProbeActivities {
  readonly begun: string[] = [];
  readonly held = new Set<string>();
  private readonly waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];

  readonly carryOut = async (word: string): Promise<string> => {
    this.begun.push(word);
    this.wake();
    await this.until(() => !this.held.has(word));
    return `carried out ${word}`;
  };

  release(word: string): void {
    this.held.delete(word);
    this.wake();
  }

  times(word: string): number {
    return this.begun.filter((each) => each === word).length;
  }

  async until(isOver: () => boolean): Promise<void> {
    if (isOver()) return;
    await new Promise<void>((resolve) => this.waiting.push({ isOver, resolve }));
  }

  private wake(): void {
    const over = this.waiting.filter(({ isOver }) => isOver());
    for (const each of over) this.waiting.splice(this.waiting.indexOf(each), 1);
    for (const { resolve } of over) resolve();
  }
}

/** Plays a scenario against a testServer: the same for the real server and the fake. */
export async function playScenario(
  testServer: TestServer,
  holding: Holding,
  chapters: readonly Chapter[],
): Promise<Reported> {
  const answers: string[] = [];
  const asking: Promise<void>[] = [];
  const send = async ({ word, as }: Pick<Chapter, 'word' | 'as'>) => {
    if (as === 'told') return await testServer.tell(word);
    asking.push(testServer.ask(word).then((answer) => void answers.push(`${word}: ${answer}`)));
    // An update is in the server's hands some time after it was sent.
    await testServer.sleep(300);
  };
  for (const chapter of chapters) {
    const { word, heldMs, meanwhile, killsWorker } = chapter;
    holding.held.add(word);
    await send(chapter);
    await testServer.begun(word, 1);
    for (const each of meanwhile) await send(each);
    if (killsWorker) {
      await testServer.killWorker();
      await testServer.begun(word, 2);
    }
    if (heldMs > 0) await testServer.sleep(heldMs);
    testServer.release(word);
    if (!word.startsWith('end')) await testServer.idle();
  }
  const diary = await testServer.result();
  await Promise.all(asking);
  return { diary, answers: answers.toSorted(), begun: holding.begun, failures: await testServer.failures() };
}
