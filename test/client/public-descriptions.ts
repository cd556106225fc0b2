import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
}

interface Body {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } };
}

interface Call {
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
}

const NAMES = ['payments_payment_v1', 'notifications_webhooks_v1', 'payments_payouts_batch_v1'];

/** The public API's own names for text. */
const FORMATS = [
  'ppaas_common_language_v3',
  'ppaas_common_country_code_v2',
  'ppaas_common_currency_code_v2',
  'phone',
];

const formats = Object.fromEntries(FORMATS.map((name) => [name, true as const]));
const ajv = new Ajv({ strict: false, allErrors: true, formats });
// CommonJS: the function stands under `default` of what is imported.
(addFormatsModule as unknown as typeof addFormatsModule.default)(ajv);

const documents = NAMES.map((name) => {
  const address = new URL(`../sandbox/public-openapi/${name}.json`, import.meta.url);
  const document = JSON.parse(readFileSync(address, 'utf8')) as Description;
  ajv.addSchema(document, name);
  return { name, document };
});

/** What the public API says about one call, and the schemas of its bodies. */
export class DescribedCall {
  private constructor(
    private readonly name: string,
    private readonly document: Description,
    private readonly pointer: readonly string[],
    private readonly call: Call,
    /** Of the resource in the path. */
    private readonly id: string | undefined,
  ) {}

  /** @param path as it was sent, with its query */
  static of(method: string, path: string): DescribedCall {
    const [address = ''] = path.split('?');
    for (const { name, document } of documents) {
      for (const [pattern, calls] of Object.entries(document.paths)) {
        const call = calls[method.toLowerCase()];
        const meant = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(address);
        if (call && meant) {
          return new DescribedCall(name, document, ['paths', pattern, method.toLowerCase()], call, meant[1]);
        }
      }
    }
    throw new Error(`${method} ${path} is not described`);
  }

  /** What is wrong with a request, by its query's names and its body. */
  faultsOf(path: string, body: unknown): string[] {
    const described = (this.call.parameters ?? []).map(
      ({ $ref }) => (this.#follow($ref) as { name: string }).name,
    );
    const unknown = [...new URL(path, 'http://any.example').searchParams.keys()].filter(
      (name) => !described.includes(name),
    );
    return [...unknown.map((name) => `${name} is no parameter`), ...this.#bodyFaults(body)];
  }

  /** An answer with everything in it that the description of a success names; its ids are that of the path. */
  fullAnswer(): unknown {
    const status = Object.keys(this.call.responses).find((each) => each.startsWith('2'));
    const schema = this.call.responses[status ?? '']?.content?.['application/json']?.schema;
    return schema && this.#instanceOf(schema, '');
  }

  #bodyFaults(body: unknown): string[] {
    const { requestBody } = this.call;
    if (requestBody === undefined) return [];
    const pointer = requestBody.$ref?.slice(2).split('/') ?? [...this.pointer, 'requestBody'];
    const steps = [...pointer, 'content', 'application/json', 'schema'].map((step) =>
      encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const validate = ajv.getSchema(`${this.name}#/${steps.join('/')}`);
    if (validate === undefined) throw new Error('the body has no schema');
    if (validate(body) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }

  #follow($ref: string): unknown {
    let found: unknown = this.document;
    for (const step of $ref.slice(2).split('/')) found = (found as Record<string, unknown>)[step];
    return found;
  }

  #instanceOf(schema: Schema, name: string): unknown {
    if (schema.$ref !== undefined) return this.#instanceOf(this.#follow(schema.$ref) as Schema, name);
    if (schema.enum !== undefined) return schema.enum[0];
    const parts = (schema.allOf ?? []).map((part) => this.#instanceOf(part, name) as object);
    if (schema.properties !== undefined || parts.length > 0) {
      const own = Object.entries(schema.properties ?? {}).map(
        ([field, value]) => [field, this.#instanceOf(value, field)] as const,
      );
      return Object.assign({}, ...parts, Object.fromEntries(own)) as object;
    }
    if (schema.type === 'array') return [this.#instanceOf(schema.items ?? {}, name)];
    if (schema.type === 'integer' || schema.type === 'number') return 1;
    if (schema.type === 'boolean') return true;
    if (schema.type === 'object') return {};
    const isId = /^(.*_)?id$|^parent_payment$/.test(name);
    return (isId ? this.id : undefined) ?? textOf(schema, name);
  }
}

function textOf({ format }: Schema, name: string): string {
  if (format === 'date-time') return '2024-03-01T10:00:00Z';
  if (format === 'uri') return 'https://api.example/';
  if (name === 'currency') return 'USD';
  return ['total', 'value'].includes(name) ? '10.60' : `${name.replaceAll('_', '-')}-1`;
}
