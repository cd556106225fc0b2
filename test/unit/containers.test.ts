import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { apiEnvironment } from '#api/environment.js';
import { readConfiguration, sandboxEnvironment } from '#sandbox/configuration.js';
import { workerEnvironment } from '#worker/worker-config.js';
import { readEnvironment } from '#configuration';
import { renderDynamicConfig } from '#tools/cluster/server-config.js';
import { baseImages, observerImages } from '#tools/containers/base-images.js';
import { standInOf } from '#tools/containers/stand-ins.js';
import { projectRoot } from '#tools/project.js';

interface Service {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly volumes?: readonly string[];
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
}

const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
const dockerfile = read('Dockerfile');
const composeText = read('docker-compose.yml');
const { services } = parse(composeText, { merge: true }) as { services: Readonly<Record<string, Service>> };
const stages = new Map(
  dockerfile.split(/^FROM /m).map((stage) => [/ AS (\S+)$/m.exec(stage)?.[1] ?? '', stage] as const),
);

/** As Compose does, with the secrets of an .env file that was filled in. */
const secrets: Readonly<Record<string, string>> = {
  CODEC_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  API_KEYS: JSON.stringify([
    { id: 'dev', sha256: '0'.repeat(64), environment: 'sandbox', application: 'shop' },
  ]),
};
function environmentOf(service: string): Record<string, string> {
  const own = Object.entries(services[service]?.environment ?? {});
  return Object.fromEntries(own.map(([name, value]) => [name, interpolate(String(value))]));
}

function interpolate(text: string): string {
  return text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?)\}/g, (_, name: string, fallback?: string) =>
    fallback === undefined ? (secrets[name] ?? 'a-secret-of-24-characters') : fallback,
  );
}

describe('the compose file', () => {
  it.each([
    ['api', apiEnvironment.shape, () => readEnvironment(apiEnvironment, environmentOf('api'))],
    ['worker', workerEnvironment.shape, () => readEnvironment(workerEnvironment, environmentOf('worker'))],
    ['sandbox', sandboxEnvironment.shape, () => readConfiguration(environmentOf('sandbox'))],
    ['sandbox-migrate', sandboxEnvironment.shape, () => readConfiguration(environmentOf('sandbox-migrate'))],
  ] as const)('gives the %s variables that it has, with values that it takes', (service, known, start) => {
    expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(environmentOf(service))));
    expect(start).not.toThrow();
  });

  it('has a PUBLIC_URL at which the sandbox finds the API, and a provider address at which the API finds the sandbox', () => {
    const { PUBLIC_URL = '', PROVIDER_APPLICATIONS = '' } = environmentOf('api');
    const [{ baseUrl }] = JSON.parse(PROVIDER_APPLICATIONS) as [{ baseUrl: string }];
    expect(baseUrl).toBe(environmentOf('sandbox')['PUBLIC_URL']);
    const reached = { api: new URL(PUBLIC_URL), sandbox: new URL(baseUrl) };
    for (const [service, { hostname, port }] of Object.entries(reached)) {
      expect(services[service]?.networks?.default.aliases).toContain(hostname);
      expect(stages.get(service)).toContain(`PORT=${port}`);
    }
  });

  it('takes every secret from a variable that .env.example names', () => {
    const wanted = [...composeText.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name);
    const offered = [...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    expect(offered).toEqual(expect.arrayContaining(wanted));
  });

  it('gives each step and process a role of its own, and the API no credentials of the provider', () => {
    const roleOf = (service: string) => new URL(environmentOf(service)['DATABASE_URL'] ?? '').username;
    expect(['migrate', 'api', 'worker'].map(roleOf)).toEqual(['engine_owner', 'engine_api', 'engine_worker']);
    expect(environmentOf('migrate')).toMatchObject({ API_ROLE: 'engine_api', WORKER_ROLE: 'engine_worker' });
    const [application] = JSON.parse(environmentOf('api')['PROVIDER_APPLICATIONS'] ?? '') as object[];
    expect(Object.keys(application ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^client/)]),
    );
    expect(composeText.match(/postgres:\/\/engine:/g)).toBeNull();
  });

  it('sets the passwords of roles that roles.sql makes', () => {
    const roles = [...composeText.matchAll(/alter role (\w+) password/g)].map(([, role = '']) => role);
    expect(roles).toEqual(['engine_owner', 'engine_api', 'engine_worker']);
    const [mounted = ''] = services['engine-roles']?.volumes ?? [];
    for (const role of roles) expect(read(mounted.split(':')[0] ?? '')).toContain(`'${role}'`);
  });

  it('waits for services that there are, in states that they can reach', () => {
    for (const { depends_on: needed = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(needed)) {
        const service = services[name]!;
        const stage = service.build && stages.get(service.build.target);
        const isChecked = service.healthcheck !== undefined || stage?.includes('HEALTHCHECK') === true;
        expect({ name, isKnown: isChecked || condition !== 'service_healthy' }).toEqual({
          name,
          isKnown: true,
        });
      }
    }
  });

  it('builds stages of the Dockerfile', () => {
    const targets = Object.values(services).flatMap(({ build }) => (build ? [build.target] : []));
    expect([...stages.keys()]).toEqual(expect.arrayContaining(targets));
  });
});

it('the Dockerfile copies what there is and what .dockerignore lets in', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  );
  const letIn = [...read('.dockerignore').matchAll(/^!(\S+)$/gm)].map(([, name = '']) => name);
  expect(copied.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
  expect(letIn).toEqual(expect.arrayContaining(copied));
});

it('Dockerfile and compose file start programs that the build makes', () => {
  const programs = [...`${dockerfile}${composeText}`.matchAll(/dist\/[\w./-]+\.js/g)].map(
    ([program]) => program,
  );
  expect(programs.length).toBeGreaterThan(4);
  const sources = programs.map((program) => program.replace('dist/', '').replace(/js$/, 'ts'));
  expect(sources.filter((source) => !existsSync(join(projectRoot, source)))).toEqual([]);
});

it('no image of ours runs as root', () => {
  for (const target of ['api', 'worker', 'sandbox']) expect(stages.get(target)).toMatch(/^engine AS /);
  expect(stages.get('engine')).toMatch(/^USER 1000$/m);
});

it('the server in containers has the settings of every server of ours', () => {
  const [mounted = ''] = services['temporal']?.volumes ?? [];
  const [file = '', inside] = mounted.split(':');
  expect(parse(read(file))).toEqual(JSON.parse(renderDynamicConfig()));
  // Where it looks for them. It ends if there is no file.
  expect(inside).toBe('/etc/temporal/config/dynamicconfig/docker.yaml');
});

it('nothing but Grafana is missing where no registry is reached', () => {
  const without = [...observerImages().values()].filter((image) => {
    try {
      return !standInOf(image);
    } catch {
      return true;
    }
  });
  expect(observerImages().size).toBe(3);
  expect(without).toEqual([expect.stringMatching(/^grafana\//)]);
});

it.each([
  ...baseImages(),
  ...['prometheus', 'jaeger'].flatMap((service) => observerImages().get(service) ?? []),
])('there is a stand-in for %s', (image) => {
  const folder = join(projectRoot, 'deploy/stand-ins', standInOf(image));
  const copied = [...readFileSync(join(folder, 'Dockerfile'), 'utf8').matchAll(/^COPY (\S+\.sh) /gm)];
  for (const [, script = ''] of copied) expect(existsSync(join(folder, script))).toBe(true);
});
