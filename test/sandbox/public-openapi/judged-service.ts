import { expect } from 'vitest';
import type { Answer, SandboxFixture } from '../sandbox-fixture.js';
import { approvalAddress } from '../specification/payer.js';
import { describedCalls, judgeAnswer } from './descriptions.js';

/** Calls the service and judges every answer by the public descriptions. */
export class JudgedService {
  /** `METHOD path status` of what was judged. */
  readonly judged = new Set<string>();
  readonly exceptions = new Set<string>();
  readonly faults: string[] = [];

  constructor(readonly sandbox: SandboxFixture) {}

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.sandbox.call(method, path, body);
    const judgement = judgeAnswer(method, path, answer.status, answer.body);
    if (judgement !== undefined) {
      const { call, faults, exceptions } = judgement;
      this.judged.add(`${call.method} ${call.path} ${answer.status}`);
      for (const reason of exceptions) this.exceptions.add(reason);
      this.faults.push(...faults.map((fault) => `${call.method} ${call.path} ${answer.status}: ${fault}`));
    }
    return answer;
  }

  /** Calls that succeed, answered with one of the statuses that the description has for success. */
  async succeed(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  /** Approved and executed by an account that the example of the public API names. */
  async approve(payment: Answer['body'], accountId?: string): Promise<void> {
    const address = new URL(approvalAddress(payment));
    const fields = {
      token: address.searchParams.get('token')!,
      ...(accountId !== undefined && { accountId }),
    };
    const response = await fetch(new URL(`${address.pathname}/approve`, address), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
    });
    expect(response.status).toBe(303);
  }

  /** Described calls of which no success, or no error, was judged. */
  missing(kind: 'success' | 'error'): string[] {
    const isOfKind = (entry: string) => Number(entry.slice(-3)) < 300 === (kind === 'success');
    return describedCalls
      .map(({ method, path }) => `${method} ${path}`)
      .filter((call) => ![...this.judged].some((entry) => entry.slice(0, -4) === call && isOfKind(entry)));
  }
}
