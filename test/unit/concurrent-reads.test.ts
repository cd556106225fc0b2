import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../apps/api/src', import.meta.url));

/** Files that await several things at once, and why nothing in their answers has to fit. */
const harmless: Readonly<Record<string, string>> = {
  'notifications/notification-dispatcher.ts': 'awaits its own work at the end of the process',
  'notifications/notification-payloads.ts': 'makes bodies that have nothing to do with each other',
  'webhooks/webhook-dispatcher.ts': 'awaits its own work at the end of the process',
  'webhooks/webhook-events.controller.ts': 'the backlog says nothing about our webhook at the provider',
};

it('an answer is not joined from concurrent reads, which see different instants: atOneInstant does it', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const concurrent = files.filter((name) => readFileSync(join(source, name), 'utf8').includes('Promise.all'));
  expect(concurrent.toSorted()).toEqual(Object.keys(harmless).toSorted());
});
