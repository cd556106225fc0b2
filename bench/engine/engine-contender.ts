import { randomUUID } from 'node:crypto';
import type { ApiConfig } from '#api/injected/api-config.js';
import { captureCommand } from '#api/payments/command-requests.js';
import { OrderPayment } from '#api/payments/order-payment.js';
import { PayerReturn } from '#api/payments/payer-return.js';
import { ChangeWaits } from '#api/commands/wait-for-change.js';
import { Starting } from '#api/commands/starting.js';
import { CommandSender } from '#api/commands/command-sender.js';
import { PaymentCommands } from '#api/payments/payment-commands.js';
import { paymentOrderRequest } from '#api/payments/payment-requests.js';
import { PaymentRows } from '#api/rows/payment-rows.js';
import { Runs, openTemporalClient } from '#runs';
import { ChangeListener, openDatabase } from '#database/connection';
import { paymentWorkflowId } from '#workflows/contract';
import { applicationName, environmentName } from '#tools/stack-environment.js';
import { orderedAmount, shopUrls, type Contender } from '../harness/contender.js';

const caller = { keyId: 'bench', environment: environmentName, application: applicationName };

/**
 * The engine without its HTTP: the API's own services in the driver's process, which is where the rivals' client code
 * runs too. Every row, start and signal is the API's.
 */
export async function openEngine(config: ApiConfig): Promise<Contender> {
  const db = openDatabase(config.databaseUrl);
  const listener = new ChangeListener(config.databaseUrl);
  await listener.start();
  const temporal = openTemporalClient({ ...config.temporal, codecKeys: config.codecKeys, caller: 'api' });
  const runs = new Runs(temporal, config.temporal);
  const changes = new ChangeWaits(listener);
  const rows = new PaymentRows(db, changes);
  const orders = new OrderPayment(db, new Starting(runs, changes, config), rows, config);
  const returns = new PayerReturn(db, runs, changes, config);
  const commands = new PaymentCommands(new CommandSender(db, runs, changes, config), rows);
  return {
    name: 'ours',
    async order() {
      const request = orderRequest();
      const { id, status, state } = await orders.order(
        caller,
        randomUUID(),
        paymentOrderRequest.parse(request),
      );
      expectState('awaiting_approval', status);
      return { workflowId: workflowIdOf(id), paymentId: id, approvalUrl: state.approvalUrl ?? '' };
    },
    async payerReturned({ paymentId }, redirect) {
      const { token, payerId, paymentId: providerPaymentId } = redirect;
      const query = { paymentId: providerPaymentId, token, PayerID: payerId };
      expectState('authorized', stateIn(await returns.approved(paymentId, query)));
    },
    async capture({ paymentId }) {
      const { row } = await commands.send(caller, captureCommand(paymentId, randomUUID(), {}));
      expectState('captured', row.status);
    },
    async close() {
      await listener.close();
      await temporal.connection.close();
      await db.destroy();
    },
  };
}

export function orderRequest(): object {
  const orderId = `order-${randomUUID()}`;
  return { orderId, intent: 'authorize', amount: orderedAmount, ...shopUrls };
}

export function workflowIdOf(paymentId: string): string {
  return paymentWorkflowId({ ...caller, paymentId });
}

/** The state that the shop gets with the payer. */
export function stateIn(shopAddress: string): string {
  return new URL(shopAddress).searchParams.get('state') ?? '';
}

/** A lifecycle with another state does not count as a measurement. */
export function expectState(expected: string, state: string): void {
  if (state !== expected) throw new Error(`a payment of the engine is ${state}, not ${expected}`);
}
