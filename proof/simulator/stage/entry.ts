export { inWords, shortestTrace } from './shrink.js';
export { seedOf, simulateWorld } from './simulate.js';
