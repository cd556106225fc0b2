import { main } from '#proof/simulator/known.js';

await main();
