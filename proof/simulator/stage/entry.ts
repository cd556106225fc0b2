export { inWords, shortestStory } from './shrink.js';
export { seedOf, simulateWorld } from './simulate.js';
