import { loadStand } from './build-stand.js';

/** Built once for all files of a process. */
export const steps = await loadStand();
