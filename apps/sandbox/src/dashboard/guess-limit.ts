const MOST_WRONG_IN_A_SECOND = 5;

/**
 * Slows down guesses of the admin token, however many connections they use. After several wrong ones in a second, no
 * more are checked until it is over: if correct ones were still checked, guessing would be no slower.
 */
export class GuessLimit {
  #second = 0;
  #wrong = 0;

  isReached(now: Date): boolean {
    return this.#second === secondOf(now) && this.#wrong >= MOST_WRONG_IN_A_SECOND;
  }

  countWrong(now: Date): void {
    const second = secondOf(now);
    this.#wrong = second === this.#second ? this.#wrong + 1 : 1;
    this.#second = second;
  }
}

function secondOf(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}
