import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { faultRequest, storedFault } from '../faults/fault-settings.js';
import { ApiError } from '../http/api-error.js';
import { newResourceId, sha256Hex } from '../http/identifiers.js';
import { checked, checkedId } from '../http/validation.js';
import { html, type Html } from '../pages/html.js';
import { applicationChoices } from './choices.js';
import { address, badge, instant, link, table, type Column } from './elements.js';
import { explain } from './fault-explanations.js';
import { FAULT_KINDS, faultRequestOf, isFaultKind, targetFieldsOf } from './fault-fields.js';
import { faultForm, type Issues } from './fault-form.js';
import { textsOf } from './filter-form.js';
import { addPage, showPage, type PageContent } from './pages.js';
import { applicationLink, transactionLink } from './subject-links.js';

const PATH = '/dashboard/faults';

type FaultRow = Awaited<ReturnType<SandboxContext['faults']['list']>>[number];

/** Switches faults on and off manually. */
export function addFaultPages(pages: FastifyInstance, context: SandboxContext): void {
  const { faults } = context;
  addPage(pages, context, '/faults', async ({ query }) =>
    faultList(await faults.list(), textsOf(query)['paymentId'] ?? ''),
  );

  addPage(pages, context, '/faults/new', ({ query }) => faultFormPage(context, textsOf(query), new Map()));

  pages.post('/faults', async (request, reply) => {
    const texts = textsOf(request.body);
    try {
      const { target, kind } = checked(faultRequest, faultRequestOf(texts));
      const { wasOn } = await faults.switchOn(target, kind, new Date(), faultIdOf(texts));
      return reply.redirect(`${PATH}?done=${wasOn ? 'fault-on-before' : 'fault-on'}`, 303);
    } catch (error) {
      if (!(error instanceof ApiError) || !FAULT_KINDS.has(texts['kind'] ?? '')) throw error;
      const issues = new Map(
        error.details.map(({ field, issue }) => [field.split(/[.[]/, 1)[0] ?? field, issue]),
      );
      return showPage(context, request, reply, await faultFormPage(context, texts, issues));
    }
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

/** The same form with the same contents names the same fault: sent twice, it switches one on. */
function faultIdOf(texts: Readonly<Record<string, string>>): string | undefined {
  if (!texts['form']) return undefined;
  return sha256Hex(JSON.stringify(texts)).slice(0, 17).toUpperCase();
}

function faultList(rows: readonly FaultRow[], paymentId: string): PageContent {
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
      <h2 id="new">Switch a fault on</h2>
      ${paymentId === '' ? '' : html`<p>It will affect only the payment ${transactionLink(paymentId)}.</p>`}
      ${table('Kinds of faults', kindsOfFaults(paymentId), [...FAULT_KINDS.keys()])}`,
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
  const applications = await applicationChoices(context.database);
  const form = texts['form'] || newResourceId();
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
      ${faultForm({ kind, form }, { ofKind, ofTarget: targetFieldsOf(kind, applications) }, texts, issues)}`,
  };
}

function kindsOfFaults(paymentId: string): readonly Column<string>[] {
  return [
    { name: 'Kind', kind: 'short', cell: (kind) => link(address(`${PATH}/new`, { kind, paymentId }), kind) },
    { name: 'What it does', kind: 'wide', cell: explain },
  ];
}

const COLUMNS: readonly Column<FaultRow>[] = [
  { name: 'Kind', kind: 'short', cell: (row) => badge('plain', kindOf(row).kind) },
  {
    name: 'State',
    kind: 'short',
    cell: (row) => (isUsedUp(row) ? badge('plain', 'used up') : badge('caution', 'on')),
  },
  { name: 'Struck', kind: 'number', cell: struck },
  {
    name: 'Left',
    kind: 'number',
    cell: ({ remaining }) => (remaining === null ? 'always' : String(remaining)),
  },
  { name: 'Matches', kind: 'number', cell: ({ matches }) => String(matches) },
  { name: 'Settings', kind: 'wide', cell: settings },
  { name: 'Affects', kind: 'wide', cell: targetOf },
  { name: 'Since', kind: 'instant', cell: ({ created_at }) => instant(created_at) },
  {
    name: 'Action',
    kind: 'short',
    cell: (row) =>
      html`<form method="post" action="${PATH}/${row.id}/off">
        <button
          type="submit"
          aria-label="${isUsedUp(row) ? 'Remove' : 'Switch off'} ${kindOf(row).kind} ${row.id}"
        >
          ${isUsedUp(row) ? 'Remove' : 'Switch off'}
        </button>
      </form>`,
  },
];

function isUsedUp({ remaining }: FaultRow): boolean {
  return remaining === 0;
}

/** How often it took effect, of how often it may; of one without an end, only the matches are counted. */
function struck({ remaining, settings }: FaultRow): string {
  const { times } = storedFault.parse(settings).target;
  return times === null || remaining === null ? '' : `${times - remaining} of ${times}`;
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

function targetOf({ settings }: FaultRow): Html {
  const { target } = storedFault.parse(settings);
  const { clientId, paymentId, operation, eventType } = target;
  const whose = clientId === undefined ? html`any application` : applicationLink(clientId);
  const parts = [operation === '*' ? 'any operation' : operation];
  if (eventType !== undefined) parts.push(eventType);
  if (target.nth > 1) parts.push(`from match ${target.nth}`);
  if (target.probability < 1) parts.push(`probability ${target.probability}, seed ${target.seed}`);
  return html`${paymentId === undefined ? whose : html`only payment ${transactionLink(paymentId)}`},
  ${parts.join(', ')}`;
}
