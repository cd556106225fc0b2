import { Inject, Injectable } from '@nestjs/common';
import { countRequests, recordAudit, readSubjectHistory } from '#database/console';
import { findExisting } from '#database/commands';
import { type Database, atOneInstant } from '#database/connection';
import type { CommandRow } from '#database/schema';
import { withoutEmails } from '#database/text';
import { SubjectChecks } from '../../checks/subject-checks.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import type { Entered } from '../html/form.js';
import type { Visit } from '../html/layout.js';
import { ConsoleSubjects } from '../subjects/console-subjects.js';
import type { AskedAction, ConsoleAction } from './action.js';
import { ConsoleActions, keyOf, readMark, seenOf } from './console-actions.js';
import { readEntered, issuesIn } from './entered.js';
import { by, callerOf, requesterOf } from './requester.js';
import {
  type AnsweredPage,
  type Situation,
  changesSince,
  confirmPage,
  formPage,
  isAsEntered,
  isAsSeen,
  movedOnPage,
  notPossiblePage,
} from './situation.js';

export interface ActionRequest {
  readonly id: string;
  readonly action: string;
  readonly entered: Entered;
}

/** Takes the forms of actions. Each write is in the audit trail before it is done. */
@Injectable()
export class ActionRequests {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(ConsoleSubjects) private readonly subjects: ConsoleSubjects,
    @Inject(ConsoleActions) private readonly actions: ConsoleActions,
    @Inject(SubjectChecks) private readonly checks: SubjectChecks,
  ) {}

  /**
   * Asks the provider at once. It moves nothing, so it needs neither a reason nor a confirmation.
   *
   * @returns whether the provider has been asked.
   */
  async check({ operator }: Visit, id: string): Promise<boolean> {
    const subject = await this.subjects.get(id);
    const { environment, application } = subject.row;
    await recordAudit(this.db, { ...by(operator), action: 'check', environment, application, subjectId: id });
    const { isDone } = await this.checks[subject.kind](callerOf(operator, subject.row), id);
    return isDone;
  }

  async form(visit: Visit, { id, action: name, entered }: ActionRequest): Promise<AnsweredPage> {
    const situation = await this.situation(visit, id);
    const action = this.actionNamed(situation, name);
    if (!action) return notPossiblePage(situation, []);
    return formPage(situation, action, { entered, issues: {}, status: 200 });
  }

  async confirm(visit: Visit, { id, action: name, entered }: ActionRequest): Promise<AnsweredPage> {
    const situation = await this.situation(visit, id);
    const action = this.actionNamed(situation, name);
    if (!action) return notPossiblePage(situation, changesSince(situation, entered));
    const read = await readEntered(action, entered);
    if ('issues' in read) return formPage(situation, action, { entered, issues: read.issues, status: 422 });
    return confirmPage(situation, action, { entered, asked: read.asked, status: 200 });
  }

  /** @returns undefined if the command was accepted, now or by the same form before. */
  async perform(visit: Visit, request: ActionRequest): Promise<AnsweredPage | undefined> {
    const { id, action: name, entered } = request;
    const situation = await this.situation(visit, id);
    const action = this.actionNamed(situation, name);
    const mark = entered['seen'] ?? '';
    const earlier = await this.earlier(situation, mark);
    const isRepeated = earlier !== undefined && earlier.requested_by === requesterOf(visit.operator);
    if (!action) {
      const isDone = isRepeated && isAsEntered(situation, request);
      return isDone ? undefined : notPossiblePage(situation, changesSince(situation, entered));
    }
    const read = await readEntered(action, entered);
    if ('issues' in read) return formPage(situation, action, { entered, issues: read.issues, status: 422 });
    if (!isRepeated && !isAsSeen(situation, mark))
      return movedOnPage(situation, action, { entered, asked: read.asked });
    // A form that is sent again gets the result of the first one, which its run may not have yet. Another form that was
    // made from the same state has the same key and is refused.
    return await this.carryOut(situation, request, { action, asked: read.asked, isRepeated });
  }

  private async carryOut(
    { visit: { operator }, subject, ...situation }: Situation,
    { id, entered, ...request }: ActionRequest,
    {
      action,
      asked,
      isRepeated,
    }: { readonly action: ConsoleAction; readonly asked: AskedAction; readonly isRepeated: boolean },
  ): Promise<AnsweredPage | undefined> {
    const { environment, application } = subject.row;
    const key = keyOf(id, entered['seen'] ?? '');
    if (!isRepeated) {
      await recordAudit(this.db, {
        ...by(operator),
        action: action.name,
        environment,
        application,
        subjectId: id,
        idempotencyKey: key,
        reason: withoutEmails(entered['reason'] ?? ''),
        detail: asked.detail,
      });
    }
    try {
      await asked.perform(callerOf(operator, subject.row), key);
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return await this.refused(
        error,
        { visit: { operator, csrfToken: '' }, subject, ...situation },
        { id, entered, ...request },
      );
    }
  }

  /** The form again, with what was refused: nothing of it is under way. */
  private async refused(
    problem: Problem,
    { visit }: Situation,
    request: ActionRequest,
  ): Promise<AnsweredPage> {
    if (problem.status !== 402 && problem.status !== 409 && problem.status !== 422) throw problem;
    const { id, action: name, entered } = request;
    const situation = await this.situation(visit, id);
    const action = this.actionNamed(situation, name);
    if (!action) return notPossiblePage(situation, changesSince(situation, entered));
    if (problem.kind === 'idempotency-key-reused') {
      const read = await readEntered(action, entered);
      if ('asked' in read) return movedOnPage(situation, action, { entered, asked: read.asked });
    }
    const issues = issuesIn(problem);
    const said = Object.keys(issues).length > 0 ? undefined : (problem.detail ?? problem.message);
    return formPage(situation, action, { entered, issues, status: problem.status, problem: said });
  }

  private async situation(visit: Visit, id: string): Promise<Situation> {
    const subject = await this.subjects.get(id);
    // At one instant: an audit entry that only the count has would look like another operator's.
    const { history, requests } = await atOneInstant(this.db, async (instant) => ({
      history: await readSubjectHistory(instant, subject.row),
      requests: await countRequests(instant, id),
    }));
    return { visit, subject, history, seen: seenOf(subject, requests) };
  }

  private actionNamed({ subject }: Situation, name: string): ConsoleAction | undefined {
    return this.actions.of(subject, Date.now()).find((action) => action.name === name);
  }

  private async earlier({ subject }: Situation, mark: string): Promise<CommandRow | undefined> {
    if (!readMark(mark)) return undefined;
    const { id, environment, application } = subject.row;
    return await findExisting(this.db, { environment, application, idempotencyKey: keyOf(id, mark) });
  }
}
