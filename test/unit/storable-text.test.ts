import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storableForeignJson } from '#database/text/storable-text.js';

describe('a document from outside', () => {
  it('stays JSON whatever numbers it holds', () => {
    const number = fc.oneof(
      fc.constantFrom(0.5555555555554444, -4111111111111111, 4111111111111111.5, 4.111111111111111e21, 1e-7),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), number), (value) => {
        JSON.parse(storableForeignJson(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps fractions, and no card number', () => {
    const reported = {
      rate: 0.5555555555554444,
      at: 1_732_199_460_000,
      pan: 4111111111111111,
      minus: -4111111111111111,
    };
    expect(JSON.parse(storableForeignJson(reported))).toEqual({
      ...reported,
      pan: '[card number]',
      minus: '[card number]',
    });
    expect(storableForeignJson([4111111111111111, 25])).toBe('["[card number]",25]');
  });
});

it.each(['a', '\n', '"'])('a text of 8 MiB of %j is stored like any other', (part) => {
  const long = `${part.repeat(8_388_608)} 4111111111111111`;
  const { long: text } = JSON.parse(storableForeignJson({ long })) as { readonly long: string };
  expect(text.endsWith(`${part} [card number]`)).toBe(true);
});
