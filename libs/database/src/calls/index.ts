export { type CallFacts, listCallFacts, type NewApiCall, recordCalls } from './api-calls.js';
