export type { Difference } from './difference.js';
export {
  type Instant,
  type Lifecycle,
  type LifecycleEvent,
  type LifecycleState,
  type Refusal,
  refusalIn,
  type WaitPolicy,
} from './lifecycle.js';
export { formatMoney, InvalidAmountError, type Money, moneyText, parseMoney } from './money.js';
export type { NotifiedResource } from './notified-resource.js';
export { advance, undoRequest, isRequest, type Position, type TimelineEntry } from './progress.js';
export { isRequestType, requestKinds } from './request-kinds.js';
export type { Restarted } from './restart.js';
