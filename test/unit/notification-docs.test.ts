import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { notificationTypes } from '#database/notifications';

test('docs/notifications.md lists every type with what it tells, and no other', () => {
  const document = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8');
  const list = document.slice(document.indexOf('## Types')).replaceAll(/\n {2}/g, ' ');
  const listed = [...list.matchAll(/^- `([\w.]+)`: (.*)$/gm)].map(([, type, meaning]) => [type, meaning]);
  expect(listed).toEqual(Object.entries(notificationTypes));
});
