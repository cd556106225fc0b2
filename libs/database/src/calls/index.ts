export {
  findDecline,
  type CallFacts,
  listCallFacts,
  listCallsBefore,
  type ListedCall,
  type NewApiCall,
  recordCalls,
} from './api-calls.js';
