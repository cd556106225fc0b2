import { Controller, Get, Inject, Query } from '@nestjs/common';
import { type Database, atOneInstant } from '#database/connection';
import { countOpenDrift, listDrift, findReconciliation } from '#database/reconciliation';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { databaseToken } from '../injected/database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import {
  type DriftListAnswer,
  type DriftListQuery,
  type ReconciliationAnswer,
  driftListAnswer,
  driftListQuery,
  reconciliationAnswer,
  viewDrift,
  viewReconciliation,
} from './reconciliation-answers.js';
import { pageOf, nextCursor, numberCursor } from '../wire/pages.js';

/** The progress of reconciliation for the caller's application, and the drift it has found. */
@Controller('v1')
export class ReconciliationController {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  @Get('reconciliation')
  @describeOperation({
    id: 'getReconciliation',
    summary: 'Show the progress of reconciliation',
    description: 'If an instant is older than a few intervals, that part of reconciliation is failing.',
    tag: 'Reconciliation',
    needsApiKey: true,
    answers: { 200: reconciliationAnswer },
    problems: [401, 503],
  })
  async show(@Caller() { environment, application }: ApiCaller): Promise<ReconciliationAnswer> {
    const owner = { environment, application };
    // At one instant: an older count beside a later comparison would say that nothing differs.
    const { row, open } = await atOneInstant(this.db, async (instant) => ({
      row: await findReconciliation(instant, owner),
      open: await countOpenDrift(instant, owner),
    }));
    return viewReconciliation(row, open);
  }

  @Get('drift')
  @describeOperation({
    id: 'listDrift',
    summary: 'List differences between our records and the provider’s, newest first',
    tag: 'Reconciliation',
    needsApiKey: true,
    answers: { 200: driftListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: driftListQuery }) query: DriftListQuery,
  ): Promise<DriftListAnswer> {
    const isResolved = query.resolved === undefined ? undefined : query.resolved === 'true';
    const isUnread = query.kind === undefined ? undefined : query.kind === 'unread';
    const page = await pageOf(query, (before, limit) =>
      listDrift(this.db, { ...caller, before, limit, isResolved, isUnread }),
    );
    return {
      data: page.rows.map(viewDrift),
      nextCursor: nextCursor(page, numberCursor, ({ id }) => id),
    };
  }
}
