import { describe, expect, it } from 'vitest';
import { PALETTES } from '#sandbox/dashboard/palette.js';

/** Each text colour with every ground that it stands on. */
const PAIRS = [
  ['text', 'ground'],
  ['text', 'raised'],
  ['muted', 'ground'],
  ['muted', 'raised'],
  ['link', 'ground'],
  ['link', 'raised'],
  ['on-action', 'action'],
  ['good', 'good-ground'],
  ['caution', 'caution-ground'],
  ['bad', 'bad-ground'],
  ['bad', 'ground'],
] as const;

describe.each(Object.entries(PALETTES))('the %s palette', (_name, palette) => {
  it.each(PAIRS)('shows %s on %s with a contrast of at least 4.5', (text, ground) => {
    expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it('shows the focus with a contrast of at least 3', () => {
    for (const ground of ['ground', 'raised'] as const)
      expect(contrast(palette.focus, palette[ground])).toBeGreaterThanOrEqual(3);
  });
});

/** WCAG 2.2: (L1 + 0.05) / (L2 + 0.05). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
