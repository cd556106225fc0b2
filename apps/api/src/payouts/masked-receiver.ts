import { maskEmail } from '../payments/redacted-text.js';
import type { PayoutRequest } from './payout-requests.js';

/** Tells which receiver was meant to whoever knows him, and to nobody else. */
export function maskReceiver({ type, value }: PayoutRequest['items'][number]['receiver']): string {
  switch (type) {
    case 'EMAIL':
      return maskEmail(value);
    case 'PHONE':
      return `…${value.slice(-2)}`;
    case 'PAYPAL_ID':
    case 'USER_HANDLE':
      return `${String.fromCodePoint(value.codePointAt(0) ?? 0)}…`;
  }
}
