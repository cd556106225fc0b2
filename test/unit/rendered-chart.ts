import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '#tools/project.js';

export const chartFolder = join(projectRoot, 'deploy/helm/payment-lifecycle-engine');

/** Helm is no part of a clone: who has it runs this as well. */
export const hasHelm = spawnSync('helm', ['version']).status === 0;

interface PodTemplate {
  readonly spec: PodSpec;
}
export interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
}
interface PodSpec {
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly containers: readonly [
    {
      readonly name: string;
      readonly image: string;
      readonly securityContext: object;
      readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
      readonly env: readonly { readonly name: string; readonly value: string }[];
    },
  ];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly items: readonly { readonly key: string }[] };
  }[];
}

/** A purge that is on. */
export const purging = 'purge.isOn=true,purge.retentionDays.live.apiCalls=400';

/** @param options as for `--set`. */
export function rendered(...options: string[]): Resource[] {
  return parseAllDocuments(helm(...options.flatMap((option) => ['--set', option]))).map(
    (document) => document.toJS() as Resource,
  );
}

/** What `helm template` writes with these arguments besides those that a deployment must give. */
export function helm(...args: string[]): string {
  const given = ['publicUrl=https://payments.example', 'secret.name=engine', 'temporal.address=t:7233'];
  const sets = given.flatMap((option) => ['--set', option]);
  // Its standard error says that the alerts are a symbolic link.
  return execFileSync('helm', ['template', 'r', chartFolder, '--kube-version', '1.30.0', ...sets, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

/** The kinds of what names the port of the metrics. */
export function opened(...options: string[]): string[] {
  const all = rendered(...options);
  return all.filter((resource) => JSON.stringify(resource).includes('9464')).map(({ kind }) => kind);
}

export function pods(resources: readonly Resource[]): PodSpec[] {
  return resources.flatMap(({ spec }) => {
    const template = spec.template ?? spec.jobTemplate?.spec.template;
    return template ? [template.spec] : [];
  });
}
