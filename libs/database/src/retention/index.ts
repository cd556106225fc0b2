export { purge, type Purged, type Retention } from './purge.js';
