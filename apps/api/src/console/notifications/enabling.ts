import type { ShownEndpoint } from '#database/console';
import type { Database } from '#database/connection';
import { enableEndpoint } from '#database/notifications';
import { withoutSecrets } from '../../notifications/shown-address.js';
import { addressOf } from '../sentences/words.js';
import { countText, whyText } from './endpoints-page.js';
import type { NotificationForm } from './notification-form.js';

/** Enables an endpoint that is disabled, as `PATCH /v1/notification-endpoints/{id}` does. */
export function enablingOf(db: Database, endpoint: ShownEndpoint): NotificationForm {
  const { id, environment, application, url, pending, failed, status, updated_at: changedAt } = endpoint;
  const why = whyText(endpoint);
  return {
    name: 'enable',
    label: 'Enable',
    address: addressOf(id),
    title: withoutSecrets(url),
    sentence: `Endpoint ${id} is ${status}. ${why}`,
    environment,
    application,
    subjectId: id,
    audited: 'enable notification endpoint',
    fields: [],
    changesSince: (asOf) =>
      status === 'disabled' && changedAt >= asOf
        ? [{ at: changedAt.getTime(), actor: 'Engine', text: `Endpoint ${status}`, note: why, mark: 'bad' }]
        : [],
    read: () => ({
      asked: {
        effects: [
          'From now on it is sent what happens.',
          `What is pending for it (${countText(pending)}) is sent at once.`,
          `What has failed (${countText(failed)}), also what was written while it was disabled, is not sent by this: resend it.`,
        ],
        detail: why,
        perform: async ({ asOf }) =>
          (await enableEndpoint(db, { environment, application }, id, { changedBefore: asOf }))
            ? 'enabled'
            : 'unchanged',
      },
    }),
  };
}
