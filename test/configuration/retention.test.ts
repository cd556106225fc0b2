import { describe, expect, it } from 'vitest';
import { purgeEnvironment, readEnvironment } from '#configuration';

const read = (retention: object) =>
  readEnvironment(purgeEnvironment, {
    DATABASE_URL: 'postgres://engine:password@127.0.0.1:5432/engine',
    RETENTION_DAYS: JSON.stringify(retention),
  }).RETENTION_DAYS;

describe('the periods of a purge', () => {
  it('are days by environment and kind; what is absent is kept for good', () => {
    expect(read({ live: { apiCalls: 400 } })).toEqual({ live: { apiCalls: 400 } });
  });

  it.each([
    ['apiCalls', 30],
    ['webhookEvents', 30],
    ['webhookTransmissions', 30],
    ['timeline', 90],
    ['notifications', 30],
    ['consoleAudit', 365],
    ['sessions', 365],
  ])('of %s are at least %i days', (kind, least) => {
    expect(read({ live: { [kind]: least } })).toEqual({ live: { [kind]: least } });
    expect(() => read({ live: { [kind]: least - 1 } })).toThrow(`RETENTION_DAYS.live.${kind}`);
  });

  it('end where the database cannot count back: its error would name no variable', () => {
    expect(() => read({ live: { timeline: 99_999_999 } })).toThrow(
      'RETENTION_DAYS.live.timeline: must be at most 1000000 days',
    );
  });

  it.each([[{ staging: {} }], [{ live: { payments: 400 } }], [{ live: { apiCalls: 30.5 } }]])(
    'are refused as %j',
    (retention) => {
      expect(() => read(retention)).toThrow('RETENTION_DAYS');
    },
  );
});
