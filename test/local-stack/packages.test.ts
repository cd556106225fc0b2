import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '#tools/project.js';
import { createDatabase } from '../helpers/database.js';
import { InstalledPackages } from './installed-packages.js';

const [payment = '', webhook = ''] = examplesIn('libs/payments-client/README.md');
const [inProcess = ''] = examplesIn('apps/sandbox/README.md');
const modules = {
  'payment.mts': payment,
  'webhook.mts': webhook,
  'in-process.mts': inProcess,
  // Types that are there refuse what is wrong.
  'wrong.mts': `${payment.split('\n')[0]}
// @ts-expect-error: a client without an address
new PaymentsClient({ clientId: 'shop', clientSecret: '' });
// @ts-expect-error: nothing behind the doors
import '@payment-lifecycle-engine/payments-client/dist/money.js';
`,
};

let packages: InstalledPackages;
beforeAll(async () => {
  packages = await InstalledPackages.install();
  for (const [file, text] of Object.entries(modules)) writeFileSync(join(packages.folder, file), text);
});
afterAll(() => packages.remove());

describe('from a folder with nothing but the packed packages', () => {
  it('the examples of their READMEs have correct types', async () => {
    await packages.checkTypes(Object.keys(modules));
  });

  it('the client gets a payment authorized by the sandbox that one command has started, and reads it back', async () => {
    const { origin, clientId, clientSecret } = await packages.startSandbox();
    const env = { PAYMENTS_URL: origin, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    expect(await packages.run('payment.mts', env)).toBe('approved authorized 10.60 USD\n');
    expect((await fetch(`${origin}/dashboard`)).status).toBe(200);
  });

  it('a delivery that the test signer has signed is authentic', async () => {
    expect(await packages.run('webhook.mts')).toBe('genuine WH-EVENT-1\n');
  });

  it('the sandbox runs inside another program’s process', async () => {
    const database = await createDatabase();
    const written = await packages.run('in-process.mts', { DATABASE_URL: database.url });
    expect(written).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m);
    await database.drop();
  });
});

/** The JavaScript of a README, which is to work as it stands. */
function examplesIn(readme: string): string[] {
  const text = readFileSync(join(projectRoot, readme), 'utf8');
  return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, example = '']) => example);
}
