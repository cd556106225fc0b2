import { main } from '#proof/simulator/main.js';

await main();
