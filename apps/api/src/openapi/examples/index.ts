import type { OpenAPIObject } from '@nestjs/swagger';
import type { NotificationType } from '#database/notifications';
import { answers, done, ordered, underWay } from './answers.js';
import { notificationOf } from './notifications.js';
import { problems } from './problems.js';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly content?: Content;
}
type Content = Readonly<
  Record<string, { readonly schema?: { readonly $ref?: string }; examples?: Record<string, object> }>
>;

interface Webhook {
  readonly post: { readonly requestBody: { readonly content: Content } };
}

/** Gives each answer and each notification an example of it as a whole; each stands once among the components. */
export function describeExamples(
  { paths }: Pick<OpenAPIObject, 'paths'>,
  webhooks: Readonly<Record<string, object>>,
): Record<string, object> {
  const examples: Record<string, object> = {};
  const give = (media: Content[string], found: Example | undefined) => {
    if (!found) return;
    examples[found.name] ??= { value: found.value };
    media.examples = { [found.name]: { $ref: `#/components/examples/${found.name}` } };
  };
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods) as Operation[]) {
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const media of Object.values(content)) {
          give(media, exampleOf(operation.operationId, status, media.schema?.$ref?.split('/').at(-1)));
        }
      }
    }
  }
  for (const [type, { post }] of Object.entries(webhooks) as [NotificationType, Webhook][]) {
    const name = type.split(/[._]/).map(titled).join('');
    const value = notificationOf(type);
    for (const media of Object.values(post.requestBody.content))
      give(media, { name: `Notification${name}`, value });
  }
  return examples;
}

interface Example {
  readonly name: string;
  readonly value: object;
}

function exampleOf(operationId: string, status: string, component: string | undefined): Example | undefined {
  if (component === undefined) return undefined;
  if (component === 'Problem') return named(`Problem${status}`, problems[status]);
  const ofStatus = { '200': done[operationId], '201': ordered[component], '202': underWay[component] }[
    status
  ];
  if (!ofStatus) return named(component, answers[component]);
  return named(status === '200' ? titled(operationId) : `${component}${status}`, ofStatus);
}

function named(name: string, value: object | undefined): Example | undefined {
  return value && { name, value };
}

function titled(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}
