import type { CodecKeys } from '#payload-codec';

/** Encrypts the stored histories, so that they pass through the codec as real ones do. It protects nothing. */
export const historyKeys: CodecKeys = {
  current: 'stored-histories',
  keys: new Map([['stored-histories', Buffer.alloc(32, 'not a secret: test data')]]),
};
