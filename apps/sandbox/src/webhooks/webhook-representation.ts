import type { WebhookRow } from '../database/tables.js';
import { describeEventType } from '../events/event-types.js';
import type { Link, Links } from '../http/links.js';
import type { WebhookLinkRels } from '../settings/webhook-settings.js';

/** A webhook as answered (interface, section 2.7). */
export function describeWebhook(webhook: WebhookRow, rels: WebhookLinkRels, links: Links): object {
  return {
    id: webhook.id,
    url: webhook.url,
    event_types: webhook.event_types.map(describeEventType),
    links: linksOf(webhook.id, rels, links),
  };
}

/** The interface's SELF, UPDATE, DELETE (section 2.3) come first, then the public API's spelling of the same. */
function linksOf(id: string, rels: WebhookLinkRels, links: Links): Link[] {
  const path = `/v1/notifications/webhooks/${id}`;
  const upper = [
    links.to('SELF', 'GET', path),
    links.to('UPDATE', 'PATCH', path),
    links.to('DELETE', 'DELETE', path),
  ];
  const lower = upper.map((link) => ({ ...link, rel: link.rel.toLowerCase() }));
  if (rels === 'interface') return upper;
  return rels === 'paypal-v1' ? lower : [...upper, ...lower];
}
