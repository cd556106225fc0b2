import type { Movement } from '#tools/sandbox-admin.js';
import type { Reception } from './reception.js';
import type { ShownResources } from './shown-resources.js';

/** A notification as the engine lists it. */
export interface ListedNotification {
  readonly id: string;
  readonly type: string;
  readonly subjectId: string;
  readonly deliveries: readonly { readonly state: string }[];
}

/** Everything that is known of the notifications of one application. */
export interface Notified {
  /** Every delivery that its receiver verified, in the order in which they came. */
  readonly receptions: readonly Reception[];
  /** All that the engine has written, when nothing was due any more. */
  readonly listed: readonly ListedNotification[];
  /** What the API shows then. */
  readonly shown: ShownResources;
  /** The provider's books, of all applications. */
  readonly movements: readonly Movement[];
}
