import { z } from 'zod';
import type { CodecSessionRow } from '#database/access';
import { shownInstant } from '../wire/fields.js';
import { listAnswer } from '../wire/pages.js';

const session = z.object({
  id: z.string(),
  keyId: z.string().meta({ description: 'The API key that opened it.' }),
  createdAt: shownInstant,
  expiresAt: shownInstant,
  signedInAt: shownInstant.nullable().meta({ description: 'When a browser signed in with the link.' }),
  revokedAt: shownInstant.nullable(),
  lastUsedAt: shownInstant.nullable(),
  payloadsShown: z.int(),
});

export const codecSessionAnswer = session.meta({ id: 'CodecSession' });
export const codecSessionListAnswer = listAnswer(codecSessionAnswer, 'CodecSessionList');
export const openedCodecSessionAnswer = session
  .extend({
    token: z.string().meta({ description: 'For "Authorization: Bearer"; shown this once.' }),
    signInUrl: z.url().meta({
      description:
        'Open it once in the browser that shows Temporal’s UI. Afterwards the token is no longer valid.',
    }),
  })
  .meta({ id: 'OpenedCodecSession' });

export type CodecSessionAnswer = z.output<typeof codecSessionAnswer>;
export type CodecSessionListAnswer = z.output<typeof codecSessionListAnswer>;
export type OpenedCodecSessionAnswer = z.output<typeof openedCodecSessionAnswer>;

export function viewCodecSession(row: CodecSessionRow): CodecSessionAnswer {
  return {
    id: row.id,
    keyId: row.key_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    signedInAt: instant(row.signed_in_at),
    revokedAt: instant(row.revoked_at),
    lastUsedAt: instant(row.last_used_at),
    payloadsShown: row.payloads_shown,
  };
}

function instant(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
