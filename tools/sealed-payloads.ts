import type { DataConverter, Payload } from '@temporalio/common';
import { isEncrypted } from '#payload-codec';

const nothing: Payload = { metadata: { encoding: new TextEncoder().encode('binary/null') } };

/**
 * For clients without the keys of the engine's payloads: a sealed payload is null, where the SDK's own converter rejects
 * the whole description of a run.
 */
export const withoutKeys: DataConverter = {
  payloadCodecs: [
    {
      encode: async (payloads) => payloads,
      decode: async (payloads) => payloads.map((payload) => (isEncrypted(payload) ? nothing : payload)),
    },
  ],
};
