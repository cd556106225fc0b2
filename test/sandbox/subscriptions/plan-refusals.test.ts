import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { planBody, PLANS, regular, trial } from './subscription-calls.js';
import { usd } from '../../helpers/usd.js';

const sandbox = forAllTests(() => SandboxFixture.start());

const definitions = (...list: object[]) => ({ payment_definitions: list });

describe('an invalid plan is refused by its field', () => {
  test.each<[string, object, string]>([
    ['no name', planBody({ name: undefined }), 'name'],
    ['an unknown field', planBody({ colour: 'red' }), 'colour'],
    ['an unknown type', planBody({ type: 'forever' }), 'type'],
    ['no definition', planBody(definitions()), 'payment_definitions'],
    ['only a trial', planBody(definitions(trial())), 'payment_definitions'],
    ['two trials', planBody(definitions(trial(), trial())), 'payment_definitions'],
    [
      'cycles without end in a fixed plan',
      planBody(definitions(regular({ cycles: '0' }))),
      'payment_definitions[0].cycles',
    ],
    ['cycles in an infinite plan', planBody({ type: 'INFINITE' }), 'payment_definitions[0].cycles'],
    [
      'cycles that are no number',
      planBody(definitions(regular({ cycles: '-1' }))),
      'payment_definitions[0].cycles',
    ],
    ['broken cycles', planBody(definitions(regular({ cycles: 1.5 }))), 'payment_definitions[0].cycles'],
    [
      'an unknown frequency',
      planBody(definitions(regular({ frequency: 'HOUR' }))),
      'payment_definitions[0].frequency',
    ],
    [
      'no interval',
      planBody(definitions(regular({ frequency_interval: '0' }))),
      'payment_definitions[0].frequency_interval',
    ],
    [
      '13 months',
      planBody(definitions(regular({ frequency_interval: '13' }))),
      'payment_definitions[0].frequency_interval',
    ],
    [
      'nothing to pay',
      planBody(definitions(regular({ amount: usd('0') }))),
      'payment_definitions[0].amount.value',
    ],
    [
      'half a cent',
      planBody(definitions(regular({ amount: usd('1.005') }))),
      'payment_definitions[0].amount.value',
    ],
    [
      'an unknown currency',
      planBody(definitions(regular({ amount: { value: '1', currency: 'XXY' } }))),
      'payment_definitions[0].amount.currency',
    ],
    [
      'two currencies',
      planBody(definitions(regular(), trial({ amount: { value: '1', currency: 'EUR' } }))),
      'payment_definitions[1].amount.currency',
    ],
    [
      'a fee in another currency',
      planBody({}, { setup_fee: { value: '1', currency: 'EUR' } }),
      'merchant_preferences.setup_fee.currency',
    ],
    [
      'a charge of an unknown kind',
      planBody(definitions(regular({ charge_models: [{ type: 'TIP', amount: usd('1') }] }))),
      'payment_definitions[0].charge_models[0].type',
    ],
    [
      'the same charge twice',
      planBody(
        definitions(
          regular({
            charge_models: [
              { type: 'TAX', amount: usd('1') },
              { type: 'TAX', amount: usd('2') },
            ],
          }),
        ),
      ),
      'payment_definitions[0].charge_models[1].type',
    ],
    ['no return address', planBody({}, { return_url: undefined }), 'merchant_preferences.return_url'],
    [
      'an address that is none',
      planBody({}, { return_url: 'javascript:alert(1)' }),
      'merchant_preferences.return_url',
    ],
    [
      'spellings that contradict each other',
      planBody({}, { autobill_amount: 'YES', auto_bill_amount: 'NO' }),
      'merchant_preferences.autobill_amount',
    ],
    [
      'actions that contradict each other',
      planBody({}, { initial_amount_fail_action: 'CANCEL', initial_fail_amount_action: 'CONTINUE' }),
      'merchant_preferences.initial_amount_fail_action',
    ],
  ])('%s', async (_what, body, field) => {
    const refused = await sandbox.call('POST', PLANS, body);
    expect([refused.status, refused.body.name]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.details.map((detail: { field: string }) => detail.field)).toContain(field);
  });
});
