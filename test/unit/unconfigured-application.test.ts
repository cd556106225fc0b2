import { pino } from 'pino';
import { expect, it } from 'vitest';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { UnconfiguredApplicationError } from '#worker/provider/unconfigured-application-error.js';

it('an application that the worker lacks is reported by name, with what to do, once for all runs that wait', () => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
  const clients = new ProviderClients([], logger);
  const owner = { environment: 'sandbox', application: 'shop' };
  for (let run = 0; run < 3; run++) expect(() => clients.for(owner)).toThrow(UnconfiguredApplicationError);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 50,
    ...owner,
    msg: expect.stringMatching(/sandbox\/shop is not configured.*Add it to PROVIDER_APPLICATIONS/),
  });
  expect(() => clients.for({ ...owner, application: 'bookshop' })).toThrow(UnconfiguredApplicationError);
  expect(lines).toHaveLength(2);
});
