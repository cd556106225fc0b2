import { expect, it } from 'vitest';
import { isAnsweredWith, withOneHint } from '#workflows/run/hints.js';

const check = { type: 'providerNotified', isCheck: true } as const;
const news = { type: 'providerNotified', isNews: true } as const;
const isHint = ({ event }: { readonly event: { readonly type: string } }): boolean =>
  event.type === 'providerNotified';

it('a webhook’s message gets its own read, and an earlier check gets its read, too', () => {
  expect(isAnsweredWith(check, news)).toBe(false);
  expect(isAnsweredWith(news, news)).toBe(true);
  expect(isAnsweredWith(news, check)).toBe(true);
  expect(isAnsweredWith(check, check)).toBe(true);
});

it('a run that continues as new carries over one hint, and news before a check', () => {
  const capture = { event: { type: 'captureRequested' } };
  const [asked, reported, reportedAgain] = [{ event: check }, { event: news }, { event: news }];
  expect(withOneHint([asked, capture, reported, reportedAgain], isHint)).toEqual([capture, reported]);
  expect(withOneHint([asked, capture, { event: check }], isHint)).toEqual([asked, capture]);
  expect(withOneHint([capture], isHint)).toEqual([capture]);
  expect(withOneHint([capture, asked], isHint)).toEqual([capture, asked]);
});
