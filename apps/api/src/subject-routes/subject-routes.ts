import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import type { Database } from '#database/connection';
import type { SubjectKind } from '#workflows/contract';
import type { Caller } from '../auth/api-keys.js';
import type { Checked } from '../checks/checks.js';
import type { SubjectChecks } from '../checks/subject-checks.js';
import type { CommandAnswer } from '../commands/command-sender.js';
import type { ApiConfig } from '../injected/api-config.js';
import type { OperationDescription } from '../openapi/describe-operation.js';
import type { Evidence } from '../reviews/evidence.js';
import type { SubjectRows, SubjectView } from '../rows/subject-rows.js';
import type { PageQuery } from '../wire/pages.js';

/** What differs between the kinds of subjects in the routes that all kinds have. */
export interface SubjectRoutes<Row extends SubjectView, Query, Answer extends z.ZodType> {
  readonly kind: SubjectKind;
  readonly tag: OperationDescription['tag'];
  readonly rows: Type<SubjectRows<Row, Query>>;
  readonly listQuery: z.ZodType<Query & PageQuery<string>>;
  readonly answer: Answer;
  readonly view: (row: Row, config: ApiConfig, now: number) => z.output<Answer>;
  readonly check: (checks: SubjectChecks, caller: Caller, id: string) => Promise<Checked<Row>>;
  /** What the route of one subject shows besides the answer. */
  readonly details?: {
    readonly answer: z.ZodType;
    readonly read: (db: Database, row: Row) => Promise<object>;
  };
  /** Default: sentences with the name of the kind. */
  readonly summaries?: { readonly list?: string; readonly show?: string };
}

/** What differs between them in the route that takes an order. */
export interface OrderRoutes<Row, Request> {
  readonly order: {
    readonly request: z.ZodType<Request>;
    readonly orders: Type<Orders<Row, Request>>;
    /** The provider's answer is not known yet: 202. */
    readonly isUnderWay: (row: Row) => boolean;
    readonly summary: string;
    readonly description?: string;
  };
}

export interface Orders<Row, Request> {
  /** The ordered subject, once it is known or the caller's wait has ended. */
  order(caller: Caller, idempotencyKey: string, request: Request): Promise<Row>;
}

/** What differs between them in the routes of a review. */
export interface ReviewRoutes<Row, Request> {
  readonly review: {
    readonly answer: z.ZodType;
    readonly read: (evidence: Evidence, row: Row) => Promise<object>;
  };
  readonly decision: {
    readonly request: z.ZodType<Request>;
    readonly commands: Type<DecisionCommands<Row, Request>>;
    /** Names the result in the OpenAPI document. */
    readonly resultId: string;
    readonly summary: string;
    /** The provider can decline what the decision leads to: 402. */
    readonly canBeDeclined: boolean;
  };
}

export interface DecisionCommands<Row, Request> {
  /** See `CommandSender.send`. */
  decide(caller: Caller, idempotencyKey: string, id: string, request: Request): Promise<CommandAnswer<Row>>;
}

/** The kind as the ids of operations and schemas have it. */
export function titleOf(kind: SubjectKind): string {
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
}
