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
    name: 'a sale created twice upon a page that lists less than it counts',
    lacks: 'pages: a list is whole, or its payments lack parts',
  },
  {
    name: 'a denied batch told as completed',
    lacks: 'batches whose head contradicts their items',
  },
  {
    name: 'open: a raw payerCancelled during the execution of a subscription is remembered, and ends it later',
    lacks: 'the message itself: the intruder does not send it',
  },
  { name: 'a reference is paid out twice', lacks: 'the API: orders are written as rows' },
  { name: 'doubt is not shown', lacks: 'views: what is told is rows, not pages' },
  {
    name: 'workers and API processes that cannot end, and logs that tell too much',
    lacks: 'processes: a worker is killed, or lives',
  },
];

/** One that breaks nothing by itself any more: it is found only together with what was mended since. */
export interface Harmless {
  readonly name: string;
  readonly because: string;
}

export const harmless: readonly Harmless[] = [
  {
    name: 'rows wait for a version',
    because: 'a newer task is written whatever its version is, and within a task versions only grow',
  },
];
