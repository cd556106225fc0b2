import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { faultRequest, storedFault } from '../faults/fault-settings.js';
import { ApiError } from '../http/api-error.js';
import { checked, checkedId } from '../http/validation.js';
import { html, type Html } from '../pages/html.js';
import { applicationChoices } from './choices.js';
import { address, badge, instant, link, table, type Column } from './elements.js';
import { explain } from './fault-explanations.js';
import { FAULT_KINDS, faultRequestOf, isFaultKind, targetFieldsOf } from './fault-fields.js';
import { faultForm, type Issues } from './fault-form.js';
import { textsOf } from './filter-form.js';
import { addPage, showPage, type PageContent } from './pages.js';

const PATH = '/dashboard/faults';

type FaultRow = Awaited<ReturnType<SandboxContext['faults']['list']>>[number];

/** Switches faults on and off manually. */
export function addFaultPages(pages: FastifyInstance, context: SandboxContext): void {
  const { faults } = context;
  addPage(pages, context, '/faults', async () => faultList(await faults.list()));

  addPage(pages, context, '/faults/new', ({ query }) => faultFormPage(context, textsOf(query), new Map()));

  pages.post('/faults', async (request, reply) => {
    const texts = textsOf(request.body);
    try {
      const { target, kind } = checked(faultRequest, faultRequestOf(texts));
      await faults.switchOn(target, kind, new Date());
    } catch (error) {
      if (!(error instanceof ApiError) || !FAULT_KINDS.has(texts['kind'] ?? '')) throw error;
      const issues = new Map(
        error.details.map(({ field, issue }) => [field.split(/[.[]/, 1)[0] ?? field, issue]),
      );
      return showPage(context, request, reply, await faultFormPage(context, texts, issues));
    }
    return reply.redirect(`${PATH}?done=fault-on`, 303);
  });

  pages.post<{ Params: { id: string } }>('/faults/:id/off', async (request, reply) => {
    const wasOn = await faults.switchOff(checkedId(request.params.id));
    return reply.redirect(`${PATH}?done=${wasOn ? 'fault-off' : 'fault-gone'}`, 303);
  });

  pages.post('/faults/off', async (_request, reply) => {
    await faults.switchOffAll();
    return reply.redirect(`${PATH}?done=faults-off`, 303);
  });
}

function faultList(rows: readonly FaultRow[]): PageContent {
  return {
    title: 'Faults',
    section: PATH,
    content: html`${table('Faults that were switched on; times are UTC', COLUMNS, rows)}
      ${
        rows.length === 0
          ? ''
          : html`<form method="post" action="${PATH}/off">
              <p><button class="danger" type="submit">Switch all faults off</button></p>
            </form>`
      }
      <h2>Switch a fault on</h2>
      ${table('Kinds of faults', KINDS, [...FAULT_KINDS.keys()])}`,
  };
}

async function faultFormPage(
  context: SandboxContext,
  texts: Readonly<Record<string, string>>,
  issues: Issues,
): Promise<PageContent> {
  const kind = texts['kind'] ?? '';
  const ofKind = FAULT_KINDS.get(kind);
  if (ofKind === undefined || !isFaultKind(kind)) throw new ApiError('INVALID_RESOURCE_ID');
  const applications = (await applicationChoices(context.database)).map(([clientId]) => clientId);
  return {
    title: `Switch on a fault: ${kind}`,
    section: PATH,
    ...(issues.size > 0 && {
      status: 400,
      notice: {
        tone: 'bad' as const,
        text: 'The fault was not switched on.',
        points: [...issues].map(([name, issue]) => `${name}: ${issue}`),
      },
    }),
    content: html`<p>${explain(kind)}</p>
      ${faultForm(kind, { ofKind, ofTarget: targetFieldsOf(kind, applications) }, texts, issues)}`,
  };
}

const KINDS: readonly Column<string>[] = [
  { name: 'Kind', cell: (kind) => link(address(`${PATH}/new`, { kind }), kind) },
  { name: 'What it does', kind: 'wide', cell: explain },
];

const COLUMNS: readonly Column<FaultRow>[] = [
  { name: 'Kind', cell: (row) => badge(isSpent(row) ? 'plain' : 'caution', kindOf(row).kind) },
  { name: 'Settings', kind: 'wide', cell: settings },
  { name: 'Affects', kind: 'wide', cell: targetOf },
  { name: 'Matches', kind: 'number', cell: ({ matches }) => String(matches) },
  {
    name: 'Left',
    kind: 'number',
    cell: ({ remaining }) => (remaining === null ? 'always' : String(remaining)),
  },
  { name: 'Since', kind: 'instant', cell: ({ created_at }) => instant(created_at) },
  {
    name: 'Action',
    cell: ({ id, settings }) =>
      html`<form method="post" action="${PATH}/${id}/off">
        <button type="submit" aria-label="Switch off ${storedFault.parse(settings).kind.kind} ${id}">
          Switch off
        </button>
      </form>`,
  },
];

function isSpent({ remaining }: FaultRow): boolean {
  return remaining === 0;
}

function kindOf({ settings }: FaultRow) {
  return storedFault.parse(settings).kind;
}

function settings(row: FaultRow): Html {
  const { kind: _, ...fields } = kindOf(row);
  const parts = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
  return html`${parts.join(', ')}`;
}

function targetOf({ settings }: FaultRow): string {
  const { target } = storedFault.parse(settings);
  const parts = [
    target.clientId ?? 'any application',
    target.operation === '*' ? 'any operation' : target.operation,
  ];
  if (target.eventType !== undefined) parts.push(target.eventType);
  if (target.nth > 1) parts.push(`from match ${target.nth}`);
  if (target.probability < 1) parts.push(`probability ${target.probability}, seed ${target.seed}`);
  return parts.join(', ');
}
