import { main } from '../simulator/known.js';

await main();
