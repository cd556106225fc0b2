import { ApiError, describeError, errorNameOf, statusOf } from '../http/api-error.js';
import type { PoisonFault } from './fault-kinds.js';

/** A refusal that a fault invents; its status may be one that no real refusal has. */
export class InventedRefusal extends ApiError {
  override readonly status: number;

  constructor(status: number, retryAfterSeconds: number | undefined) {
    super(errorNameOf(status), [], retryAfterSeconds);
    this.status = status;
  }
}

/** The failure that a poisoned key keeps, as an answer that can be stored. */
export function poisonedAnswer({ name, status }: PoisonFault, debugId: string) {
  const chosen = status ?? (name === undefined ? 500 : statusOf(name));
  return { status: chosen, body: describeError(name ?? errorNameOf(chosen), [], debugId) };
}
