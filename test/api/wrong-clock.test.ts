import { afterEach, describe, expect, it, vi } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());
afterEach(() => {
  vi.useRealTimers();
});

describe.each(['/readyz', '/readyz?except=database,temporal'])('by %s', (path) => {
  const readiness = () => api.call('GET', path, { apiKey: null });

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('an API whose clock is an hour %s is not ready, and is ready once it is right', async (_, offsetMs) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offsetMs });
    expect(await readiness()).toMatchObject({ status: 503, body: { missing: ['clock'] } });
    vi.useRealTimers();
    expect(await readiness()).toMatchObject({ status: 200 });
  });
});
