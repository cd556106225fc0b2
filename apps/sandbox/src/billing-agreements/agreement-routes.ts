import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import { checked, checkedId } from '../http/validation.js';
import { answerOnce, type Answer } from '../server/idempotency.js';
import { read } from '../server/reading.js';
import {
  agreementPatches,
  agreementRequest,
  balanceRequest,
  billBalanceRequest,
  executeRequest,
  stateChangeRequest,
  transactionQuery,
} from './agreement-request.js';
import { cancelAgreement, reactivateAgreement, suspendAgreement } from './change-agreement-state.js';
import { createAgreement } from './create-agreement.js';
import { executeAgreement } from './execute-agreement.js';
import { getAgreement } from './find-agreements.js';
import { listTransactions } from './list-transactions.js';
import { billBalance, setBalance } from './outstanding-balance.js';
import { updateAgreement } from './update-agreement.js';

interface ById {
  Params: { id: string };
}

const PATH = '/v1/payments/billing-agreements';

export function addAgreementRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { links } = context;

  api.post(PATH, { config: { operation: 'agreement.create' } }, (request, reply) => {
    const body = checked(agreementRequest, request.body);
    return answerOnce(context, 'agreement.create', request, reply, (unit) =>
      createAgreement(context, unit, body),
    );
  });

  api.post<ById>(
    `${PATH}/:id/agreement-execute`,
    { config: { operation: 'agreement.execute' } },
    (request, reply) => {
      const token = checkedId(request.params.id);
      checked(executeRequest, request.body);
      return answerOnce(context, 'agreement.execute', request, reply, (unit) =>
        executeAgreement(context, unit, token),
      );
    },
  );

  api.get<ById>(`${PATH}/:id`, { config: { operation: 'agreement.get' } }, (request) => {
    const id = checkedId(request.params.id);
    return read(context, request, (database, clientId) => getAgreement(database, links, clientId, id));
  });

  api.patch<ById>(`${PATH}/:id`, { config: { operation: 'agreement.update' } }, (request, reply) => {
    const id = checkedId(request.params.id);
    const patches = checked(agreementPatches, request.body).map(({ value }) => value);
    return answerOnce(context, 'agreement.update', request, reply, (unit) =>
      updateAgreement(context, unit, id, patches),
    );
  });

  api.get<ById>(
    `${PATH}/:id/transactions`,
    { config: { operation: 'agreement.transactions' } },
    (request) => {
      const id = checkedId(request.params.id);
      const range = checked(transactionQuery, request.query);
      return read(context, request, (database, clientId) => listTransactions(database, clientId, id, range));
    },
  );

  addStateChanges(api, context);
  addBalanceRoutes(api, context);
}

type StateChange = (context: SandboxContext, unit: UnitOfWork, agreementId: string) => Promise<Answer>;

function addStateChanges(api: FastifyInstance, context: SandboxContext): void {
  const changes: ['suspend' | 're-activate' | 'cancel', StateChange][] = [
    ['suspend', suspendAgreement],
    ['re-activate', reactivateAgreement],
    ['cancel', cancelAgreement],
  ];
  for (const [name, change] of changes) {
    const operation = `agreement.${name}` as const;
    api.post<ById>(`${PATH}/:id/${name}`, { config: { operation } }, (request, reply) => {
      const id = checkedId(request.params.id);
      checked(stateChangeRequest, request.body);
      return answerOnce(context, operation, request, reply, (unit) => change(context, unit, id));
    });
  }
}

function addBalanceRoutes(api: FastifyInstance, context: SandboxContext): void {
  api.post<ById>(
    `${PATH}/:id/set-balance`,
    { config: { operation: 'agreement.set-balance' } },
    (request, reply) => {
      const id = checkedId(request.params.id);
      const balance = checked(balanceRequest, request.body);
      return answerOnce(context, 'agreement.set-balance', request, reply, (unit) =>
        setBalance(context, unit, id, balance),
      );
    },
  );

  api.post<ById>(
    `${PATH}/:id/bill-balance`,
    { config: { operation: 'agreement.bill-balance' } },
    (request, reply) => {
      const id = checkedId(request.params.id);
      const { amount } = checked(billBalanceRequest, request.body);
      return answerOnce(context, 'agreement.bill-balance', request, reply, (unit) =>
        billBalance(context, unit, id, amount),
      );
    },
  );
}
