import { expect } from 'vitest';
import type { Answer } from '../sandbox-fixture.js';

/** Formats that section 2 of the specification names. */
export const decimal = expect.stringMatching(/^-?\d+(\.\d+)?$/);
export const currencyCode = expect.stringMatching(/^[A-Z]{3}$/);
/** ISO 8601, in UTC. */
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
export const identifier = expect.stringMatching(/^[A-Za-z0-9-]{1,64}$/);
export const absoluteUrl = expect.stringMatching(/^https?:\/\/[^\s/]+\//);
export const someText = expect.stringMatching(/\S/);
export const link = {
  href: absoluteUrl,
  rel: someText,
  method: expect.stringMatching(/^(GET|POST|PATCH|DELETE)$/),
};

/** The value at a dotted path; `[]` stands for the first element. */
export function at(body: unknown, path: string): unknown {
  let value: unknown = body;
  for (const step of path.replaceAll('[]', '.0').split('.')) {
    value = (value as Record<string, unknown> | undefined)?.[step];
  }
  return value;
}

/** A copy with another value at a dotted path; `undefined` leaves the field out. */
export function having<Body extends object>(body: Body, path: string, value: unknown): Body {
  const copy = structuredClone(body);
  const steps = path.replaceAll('[]', '.0').split('.');
  const parent = at(copy, steps.slice(0, -1).join('.') || '') ?? copy;
  const last = steps.at(-1)!;
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else (parent as Record<string, unknown>)[last] = value;
  return copy;
}

/** `rel method` of each link. */
export function relsOf(links: { rel: string; method: string }[]): string[] {
  return links.map(({ rel, method }) => `${rel} ${method}`);
}

/** Refused as a bad request that names the field, or what holds it. */
export function expectRefusalOf(field: string, { status, body }: Answer): void {
  expect(status, JSON.stringify(body)).toBe(400);
  const named: string[] = (body.details ?? []).map((detail: { field: string }) => detail.field);
  const first = field.replaceAll('[]', '[0]');
  expect(
    named.some((name) => first.startsWith(name) || name.startsWith(first)),
    `${first} named in ${JSON.stringify(body)}`,
  ).toBe(true);
}
