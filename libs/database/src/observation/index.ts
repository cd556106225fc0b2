export { countOpenRuns, type OpenRuns } from './open-runs.js';
export { type Queues, readQueues } from './queues.js';
