import { main } from '../simulator/main.js';

await main();
