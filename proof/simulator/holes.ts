/** One that the simulator cannot find, and what its model lacks. */
export interface Hole {
  readonly name: string;
  readonly lacks: string;
}

export const holes: readonly Hole[] = [
  {
    name: 'a run that no worker could go on with',
    lacks: 'a server that records an answer to an older task',
  },
  {
    name: 'creations given to a person although the books could have proved them',
    lacks: 'pages of a search, and the time that they take',
  },
  {
    name: 'a forged webhook silences a real one',
    lacks: 'the inbox: events go straight to their routes',
  },
  {
    name: 'the marks of one chargeback are taken for those of the next (campaign c2)',
    lacks: 'an oracle for an amount that stays unknown: a read that lags may leave it so',
  },
  {
    name: 'a sale created twice after a page that lists less than it counts',
    lacks: 'pages: a list is whole, or its payments lack parts',
  },
  {
    name: 'a denied batch told as completed',
    lacks: 'batches whose head contradicts their items',
  },
  {
    name: 'workflow code that is interrupted by a pause of its machine (decision 0026)',
    lacks: 'wall time: workflow code takes none',
  },
  {
    name: 'a 4xx that a gateway has written is taken for a refusal (decision 0004)',
    lacks: 'the client: the provider stands behind what decides this',
  },
  {
    name: 'a refusal is told, and a slower copy of the request is accepted (decision 0006)',
    lacks: 'the API: keys, and refusals that are kept under them',
  },
  {
    name: 'a worker whose clock is wrong',
    lacks: 'clocks of their own: all have the one of the world',
  },
  {
    name: 'a capture made by hand is never seen (world 1567045169)',
    lacks: 'worlds enough: three of a million showed it, and ten minutes are a third of a million',
  },
  {
    name: 'a read that is made again in a task counts as being in its history',
    lacks: 'worlds enough: 32,000 lifecycles did not show it',
  },
  {
    name: 'a sale without instants passes for one that was pending for long (world 2005296694)',
    lacks: 'worlds enough: 580,000 lifecycles came before it',
  },
  {
    name: 'a second try of the last read is not written',
    lacks:
      'worlds enough: 2 of 15,092 worlds of subscriptions whose commits are often unheard and whose reads often fail',
  },
  {
    name: 'a decision is carried out on another step than it was about',
    lacks: 'an oracle: what is decided wrongly is checked against the books, and refused by them',
  },
  {
    name: 'the answer to a worker that was given up is noticed an hour late (decision 0018)',
    lacks: 'an oracle so fine: it waits for longer than any wait between two lookups',
  },
  {
    name: 'a decision that nobody has accepted is sent to a run',
    lacks: 'the message: the intruder sends signals only',
  },
  { name: 'a reference is paid out twice', lacks: 'the API: orders are written as rows' },
  { name: 'doubt is not shown', lacks: 'views: what is told is rows, not pages' },
  {
    name: 'workers and API processes that cannot end, and logs that tell too much',
    lacks: 'processes: a worker is killed, or lives',
  },
  {
    name: 'what a pending capture leaves of a hold is given up',
    lacks: 'captures that stay pending for as long as a hold, and an oracle for policies that had to act',
  },
  {
    name: 'a failed payment that a lagging list lacks is never told',
    lacks: 'subscriptions that do not end: the reads after the end bring everything',
  },
  {
    name: 'a refund is taken for another’s because its answer names nobody',
    lacks: 'captures whose payment is left out of one answer',
  },
];

/** One that breaks nothing by itself any more: it is found only together with what was corrected since. */
export interface Harmless {
  readonly name: string;
  readonly because: string;
}

export const harmless: readonly Harmless[] = [
  {
    name: 'rows wait for a version',
    because: 'a newer task is written whatever its version is, and within a task versions only grow',
  },
  {
    name: 'a read that lags undoes an authorization that was shown',
    because:
      'what showed the approval is in the history before the payment is executed, and is not read again',
  },
];
