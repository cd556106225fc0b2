import { describe, expect, it } from 'vitest';
import type { PaymentMessage } from '#workflows/contract';
import { MessageInbox } from '#workflows/run/message-inbox.js';

const message = (id: string): PaymentMessage => ({ id, event: { type: 'providerNotified', eventType: id } });

const isHint = ({ id }: PaymentMessage) => id.startsWith('hint');

describe('the inbox of a run', () => {
  it('hands out messages in order of arrival, each id once', () => {
    const inbox = new MessageInbox<PaymentMessage>();
    for (const id of ['a', 'b', 'a', 'c', 'b']) inbox.receive(message(id));
    expect([inbox.next()?.id, inbox.next()?.id, inbox.next()?.id, inbox.next()]).toEqual([
      'a',
      'b',
      'c',
      undefined,
    ]);
    inbox.receive(message('a'));
    expect(inbox.size).toBe(0);
  });

  it('recognizes a message after continue-as-new, and loses none that waited', () => {
    const before = new MessageInbox<PaymentMessage>();
    before.receive(message('taken'));
    before.next();
    before.receive(message('waiting'));
    const { seen, waiting } = before.carriedOver();
    const inbox = new MessageInbox(seen, waiting);
    for (const id of ['taken', 'waiting', 'new']) inbox.receive(message(id));
    expect([inbox.next()?.id, inbox.next()?.id, inbox.next()]).toEqual(['waiting', 'new', undefined]);
  });

  it('recognizes a message that it only noted, without holding its content', () => {
    const inbox = new MessageInbox<PaymentMessage>();
    expect([inbox.remember('noted'), inbox.remember('noted')]).toEqual([true, false]);
    inbox.receive(message('noted'));
    expect(inbox.size).toBe(0);
    inbox.receive(message('waiting'));
    expect(inbox.holds(({ id }) => id === 'waiting')).toBe(true);
    expect(inbox.carriedOver().seen).toEqual(['noted', 'waiting']);
  });

  it('hands out, and leaves out, only messages among the first so many received', () => {
    const inbox = new MessageInbox<PaymentMessage>([], [message('carried')]);
    for (const id of ['a', 'a', 'b', 'c']) inbox.receive(message(id));
    expect(inbox.received).toBe(4);
    expect([inbox.next(2)?.id, inbox.next(2)?.id, inbox.next(2)]).toEqual(['carried', 'a', undefined]);
    expect(inbox.leaveOut(() => true, 3)).toBe(1);
    expect([inbox.next()?.id, inbox.next()]).toEqual(['c', undefined]);
  });

  it('hands out a message that was carried over as soon as it is among those received, and not before', () => {
    const inbox = new MessageInbox<PaymentMessage>([], [message('a'), message('b')]);
    expect([inbox.next(0), inbox.next(1)?.id, inbox.next(1), inbox.next(inbox.received)?.id]).toEqual([
      undefined,
      'a',
      undefined,
      'b',
    ]);
  });

  it('keeps every message that is not to be left out', () => {
    const inbox = new MessageInbox<PaymentMessage>();
    for (const id of ['hint', 'request', 'hint 2']) inbox.receive(message(id));
    expect([inbox.holds(isHint), inbox.holds(({ id }) => id === 'none')]).toEqual([true, false]);
    expect(inbox.leaveOut(isHint, inbox.received)).toBe(2);
    expect([inbox.next()?.id, inbox.next()]).toEqual(['request', undefined]);
  });

  it('carries over the newest 2,000 ids and no more', () => {
    const inbox = new MessageInbox<PaymentMessage>();
    for (let i = 0; i < 2_500; i += 1) inbox.receive(message(String(i)));
    const { seen } = inbox.carriedOver();
    expect(seen).toHaveLength(2_000);
    expect([seen[0], seen.at(-1)]).toEqual(['500', '2499']);
    expect(inbox.size).toBe(2_500);
  });
});
