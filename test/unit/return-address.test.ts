import { expect, it } from 'vitest';
import { planReference, subscriptionAddresses } from '#runs';
import { isReturnTo, isReturnToAnother } from '#worker/provider/return-address.js';

const returnUrl = (publicUrl: string, id: string) => subscriptionAddresses(publicUrl, id).returnUrl;
const ours = returnUrl('https://new.example', 'sub_1');

it.each([
  ['its own', ours, true],
  ['its own from before PUBLIC_URL was changed', returnUrl('https://old.example/engine', 'sub_1'), true],
  ['that of another subscription', returnUrl('https://new.example', 'sub_2'), false],
  ['one that is not of the engine', 'https://shop.example/another', false],
  ['none', undefined, false],
])('an agreement shows %s: that it is ours is %3$s', (_, shown, isOurs) => {
  expect(isReturnTo(ours, shown)).toBe(isOurs);
});

it('an answer is of another agreement only if it shows the address of another subscription', () => {
  expect(isReturnToAnother(ours, returnUrl('https://old.example', 'sub_2'))).toBe(true);
  const harmless = [
    ours,
    returnUrl('https://old.example', 'sub_1'),
    planReference('https://new.example', 'plan_1'),
    undefined,
  ];
  for (const shown of harmless) expect(isReturnToAnother(ours, shown)).toBe(false);
});

it('a plan is known by its own address, whatever PUBLIC_URL was', () => {
  const reference = planReference('https://new.example', 'plan_1');
  expect(isReturnTo(reference, planReference('https://old.example/', 'plan_1'))).toBe(true);
  expect(isReturnTo(reference, planReference('https://new.example', 'plan_2'))).toBe(false);
});
