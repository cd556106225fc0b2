import type { Owner } from '#database/schema';
import type { ApiConfig } from '../../injected/api-config.js';
import type { Option } from './form.js';

/** The configured applications, as a filter offers them. */
export function applicationOptions({ applications }: Pick<ApiConfig, 'applications'>): Option[] {
  return applications.map(({ environment, application }) => {
    const name = `${environment}/${application}`;
    return { value: name, label: name };
  });
}

/** The application that a filter names. */
export function ownerIn(name: string | undefined): {
  readonly environment?: string;
  readonly application?: string;
} {
  if (name === undefined) return {};
  const [environment = '', application = ''] = name.split('/');
  return { environment, application };
}

/** The configured applications, or the one of them that a filter names. */
export function namedApplications<Application extends Owner>(
  { applications }: { readonly applications: readonly Application[] },
  name: string | undefined,
): readonly Application[] {
  const { environment, application } = ownerIn(name);
  if (name === undefined) return applications;
  return applications.filter((each) => each.environment === environment && each.application === application);
}
