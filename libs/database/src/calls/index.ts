export {
  type CallFacts,
  listCallFacts,
  listCallsBefore,
  type ListedCall,
  type NewApiCall,
  recordCalls,
} from './api-calls.js';
