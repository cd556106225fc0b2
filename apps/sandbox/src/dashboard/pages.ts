import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { textsOf } from './filter-form.js';
import { dashboardPage, type DashboardPage, type Notice, type Section } from './layout.js';
import { DASHBOARD_HEADERS } from './style.js';

/** The content of a page besides its frame. */
export type PageContent = Omit<DashboardPage, 'canSignOut' | 'section'> & {
  section: Section;
  status?: number;
};

/** Shown after an action, on the page to which it leads: the address has only the name, never a text. */
const OUTCOMES: ReadonlyMap<string, Notice> = new Map(
  Object.entries({
    resent: { tone: 'good', text: 'The event is being delivered once more.' },
    'resent-before': {
      tone: 'caution',
      text: 'Not resent again: since this page was opened, the event has been sent once more.',
    },
    'resent-to-nobody': { tone: 'caution', text: 'No webhook subscribes to this type: nothing was sent.' },
    'fault-on': { tone: 'good', text: 'The fault is on.' },
    'fault-on-before': { tone: 'caution', text: 'This form was sent before: the fault is on once.' },
    'fault-off': { tone: 'good', text: 'The fault is off.' },
    'fault-gone': { tone: 'caution', text: 'The fault was off already.' },
    'faults-off': { tone: 'good', text: 'All faults are off.' },
  } satisfies Record<string, Notice>),
);

export function showPage(
  context: SandboxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, ...content }: PageContent,
): FastifyReply {
  const notice = content.notice ?? OUTCOMES.get(textsOf(request.query)['done'] ?? '');
  const page = dashboardPage({ ...content, notice, canSignOut: context.adminToken !== undefined });
  return reply.code(status).headers(DASHBOARD_HEADERS).send(page);
}

/** A GET route of a page. */
export function addPage<Params>(
  pages: FastifyInstance,
  context: SandboxContext,
  path: string,
  build: (request: FastifyRequest<{ Params: Params }>) => Promise<PageContent>,
): void {
  pages.get<{ Params: Params }>(path, async (request, reply) =>
    showPage(context, request, reply, await build(request)),
  );
}
