import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { apiEnvironment } from '#api/environment.js';
import { workerEnvironment } from '#worker/worker-config.js';
import { purgeEnvironment, readEnvironment } from '#configuration';
import { secretVariables } from '#configuration/environment.js';
import { agedRows, purgedRows } from '#database/retention/purged-rows.js';
import { projectRoot } from '#tools/project.js';
import {
  chartFolder,
  hasHelm,
  helm,
  opened,
  pods,
  purging,
  rendered,
  type Resource,
} from './rendered-chart.js';

const read = (file: string): string => readFileSync(join(chartFolder, file), 'utf8');
const templates = readdirSync(join(chartFolder, 'templates')).map((file) => read(`templates/${file}`));
const text = templates.join('\n');
const defaults = parse(read('values.yaml')) as Record<string, unknown>;
const needed = {
  publicUrl: 'https://payments.example',
  secret: { name: 'engine' },
  temporal: { address: 'temporal:7233' },
};

const versioned = 'worker.versions.isOn=true';
const variables = { ...apiEnvironment.shape, ...workerEnvironment.shape, ...purgeEnvironment.shape };

describe('the Helm chart', () => {
  it('sets variables that API, worker or purge has, and secrets by files', () => {
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

  it('starts programs that the build makes', () => {
    const programs = [...text.matchAll(/dist\/([\w./-]+)\.js/g)].map(([, program = '']) => `${program}.ts`);
    expect(programs.toSorted()).toEqual(['tools/migrate.ts', 'tools/purge.ts']);
    for (const program of programs) expect(existsSync(join(projectRoot, program))).toBe(true);
  });

  it('asks the ports and images of the Dockerfile', () => {
    const dockerfile = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8');
    const ports = [...text.matchAll(/"http" (\d+)/g)].map(([, port = '']) => port);
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
    const purge = { ...(defaults['purge'] as object), isOn: true };
    expect(accepts({ ...values, purge })).toBe(false);
    expect(accepts({ ...values, purge: { ...purge, retentionDays: { live: { apiCalls: 30 } } } })).toBe(true);
    expect(accepts({ ...values, purge: { ...purge, retentionDays: { live: { calls: 30 } } } })).toBe(false);
  });

  it('takes the periods that a purge takes', () => {
    const { definitions } = JSON.parse(read('values.schema.json')) as {
      definitions: { kept: { properties: Record<string, { minimum: number }> } };
    };
    const kinds = definitions.kept.properties;
    expect(Object.keys(kinds).toSorted()).toEqual(
      [...Object.keys(purgedRows), ...Object.keys(agedRows)].toSorted(),
    );
    for (const [kind, { minimum }] of Object.entries(kinds)) {
      expect(() => purgeFor(kind, minimum)).not.toThrow();
      expect(() => purgeFor(kind, minimum - 1)).toThrow(kind);
    }
  });
});

// Not registered without helm: CI has none, and a skipped test counts as failed there.
if (hasHelm)
  describe('the rendered chart', () => {
    it('runs no pod as root, with a writable image, a capability or a token of the cluster', () => {
      const specs = pods(rendered(purging));
      expect(specs).toHaveLength(4);
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
      const all = pods(rendered('secret.hasConsoleUsers=true', 'secret.hasTemporalApiKey=true', purging));
      const keysOf = (part: string) =>
        all
          .find(({ containers: [container] }) => container.name === part)
          ?.volumes.find(({ name }) => name === 'engine')
          ?.secret?.items.map(({ key }) => key);
      const engine = ['DATABASE_URL', 'CODEC_KEYS', 'PROVIDER_APPLICATIONS', 'TEMPORAL_API_KEY'];
      expect(keysOf('api')).toEqual([...engine, 'API_KEYS', 'CONSOLE_USERS']);
      expect(keysOf('worker')).toEqual(engine);
      expect(keysOf('migrations')).toEqual(['DATABASE_URL']);
      expect(keysOf('purge')).toEqual(['DATABASE_URL']);
    });

    it('purges with the periods as they are given, and only if it is on', () => {
      expect(kindsOf('purge', rendered())).toEqual([]);
      const resources = rendered(purging, 'purge.retentionDays.live.timeline=3650');
      expect(kindsOf('purge', resources).toSorted()).toEqual(['CronJob', 'NetworkPolicy']);
      const env = pods(resources).find(({ containers: [container] }) => container.name === 'purge')
        ?.containers[0].env;
      const given = Object.fromEntries(env?.map(({ name, value }) => [name, value]) ?? []);
      const config = readEnvironment(purgeEnvironment, {
        ...given,
        DATABASE_URL_FILE: undefined,
        DATABASE_URL: 'postgres://engine@127.0.0.1/engine',
      });
      expect(config.RETENTION_DAYS).toEqual({ live: { apiCalls: 400, timeline: 3650 } });
    });

    it.each([
      ['image.tag=new', 'api.tag=old'],
      ['worker.tag=new', 'api.tag=old'],
    ])('migrates by the image of the workers while the API stays at the one before: %s, %s', (...tags) => {
      const images = pods(rendered(...tags)).map(({ containers: [{ name, image }] }) => `${name} ${image}`);
      expect(images.toSorted()).toEqual([
        'api payment-lifecycle-engine/api:old',
        'migrations payment-lifecycle-engine/api:new',
        'worker payment-lifecycle-engine/worker:new',
      ]);
    });

    it('keeps an API ready that is away from Temporal, but not one whose clock is wrong, and a worker in neither case', () => {
      const probes = pods(rendered()).flatMap(({ containers: [{ name, readinessProbe }] }) =>
        readinessProbe ? [`${name} ${readinessProbe.httpGet.path}`] : [],
      );
      expect(probes.toSorted()).toEqual(['api /readyz?except=database,temporal', 'worker /readyz']);
    });

    it('refuses a worker that would be killed while it drains', () => {
      const given = ['--set-string', 'env.SHUTDOWN_GRACE_MS=25000'];
      expect(() => rendered('worker.terminationGraceSeconds=10')).toThrow('terminationGraceSeconds');
      expect(() => rendered('worker.terminationGraceSeconds=11')).not.toThrow();
      expect(() => helm(...given)).toThrow('terminationGraceSeconds');
      expect(() => helm(...given, '--set', 'worker.terminationGraceSeconds=31')).not.toThrow();
    });

    it('gives the operator of Prometheus every alert, and the jobs that they name', () => {
      expect(rendered('metrics.isOn=true').some(({ kind }) => kind === 'PodMonitor')).toBe(false);
      const resources = rendered('metrics.isOn=true', 'metrics.hasOperator=true');
      const monitors = resources
        .filter(({ kind }) => kind === 'PodMonitor')
        .map((each) => JSON.stringify(each));
      expect(monitors.map((monitor) => /"engine-(\w+)"/.exec(monitor)?.[1])).toEqual(['api', 'worker']);
      const alerts = readFileSync(join(projectRoot, 'deploy/observability/alerts.yaml'), 'utf8');
      expect(resources.find(({ kind }) => kind === 'PrometheusRule')?.spec).toEqual(parse(alerts));
    });

    it('opens the port of the metrics in API and worker, and only if they are on', () => {
      expect(opened()).toEqual([]);
      const both = ['Deployment', 'Deployment', 'NetworkPolicy', 'NetworkPolicy'];
      expect(opened('metrics.isOn=true').toSorted()).toEqual(both);
    });

    it('leaves versions of workers to temporal-worker-controller, with the connection of the values', () => {
      const mutual = ['temporal.tls.isOn=true', 'temporal.tls.clientSecret=c', 'temporal.tls.serverName=x'];
      const resources = rendered(versioned, ...mutual);
      expect(kindsOf('worker', resources)).toEqual(
        expect.arrayContaining(['Connection', 'WorkerDeployment', 'PodDisruptionBudget', 'NetworkPolicy']),
      );
      expect(kindsOf('worker', resources)).not.toContain('Deployment');
      expect(kindsOf('worker', rendered())).not.toContain('WorkerDeployment');
      expect(resources.find(({ kind }) => kind === 'Connection')?.spec).toEqual({
        hostPort: 't:7233',
        tls: { serverName: 'x' },
        mutualTLSSecretRef: { name: 'c' },
      });
      const [worker] = pods(resources).filter(({ containers: [{ name }] }) => name === 'worker');
      // The controller gives them, and a variable twice is refused.
      const given = /^TEMPORAL_(ADDRESS|NAMESPACE|TLS|TLS_SERVER_NAME|TLS_CLIENT_\w+|API_KEY\w*)$/;
      expect(worker?.containers[0].env.map(({ name }) => name).filter((name) => given.test(name))).toEqual(
        [],
      );
      expect(worker?.volumes.map(({ name }) => name)).not.toContain('temporal-client');
    });

    it.each([
      ['would have to scale workers', 'worker.autoscaling.by=cpu'],
      ['would have to use TLS without a name or credentials', 'temporal.tls.isOn=true'],
    ])('refuses versions of workers where the controller %s', (_, option) => {
      expect(() => rendered(versioned, option)).toThrow('temporal-worker-controller');
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

function purgeFor(kind: string, days: number): void {
  readEnvironment(purgeEnvironment, {
    DATABASE_URL: 'postgres://engine@127.0.0.1/engine',
    RETENTION_DAYS: JSON.stringify({ live: { [kind]: days } }),
  });
}

/** The kinds of what is there for a part. */
function kindsOf(part: string, resources: readonly Resource[]): string[] {
  return resources.flatMap(({ kind, metadata }) => (metadata.name === `r-${part}` ? [kind] : []));
}
