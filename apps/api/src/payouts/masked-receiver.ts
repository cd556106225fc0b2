import { maskEmail } from '../payments/redacted-text.js';
import type { PayoutRequest } from './payout-requests.js';

/** Masks a receiver so that only a person who knows the receiver can recognize it. */
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
