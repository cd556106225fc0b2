import type { Transmission } from './sign-delivery.js';

const SIGNATURE = 'paypal-transmission-sig';
const ZERO = 0x30;

/**
 * Changes one byte of the body after it was signed: the first digit of the event's resource, so that the delivery is
 * still a credible event, with another id or another amount.
 */
export function corruptBody(transmission: Transmission): Transmission {
  const body = Buffer.from(transmission.body);
  const resource = body.indexOf('"resource":{');
  const digit = body.findIndex((byte, at) => at > resource && byte >= ZERO && byte <= ZERO + 9);
  const at = digit === -1 ? body.length - 1 : digit;
  body[at] = ZERO + (((body[at] ?? ZERO) - ZERO + 1) % 10);
  return { ...transmission, body };
}

/** A signature of the right length that was never made. */
export function corruptSignature(transmission: Transmission): Transmission {
  const signature = Buffer.from(transmission.headers[SIGNATURE] ?? '', 'base64');
  signature[0] = (signature[0] ?? 0) ^ 1;
  return {
    ...transmission,
    headers: { ...transmission.headers, [SIGNATURE]: signature.toString('base64') },
  };
}
