import { describe, expect, it } from 'vitest';
import { approvalForm } from '#tools/demo/payer.js';

describe('the approval form', () => {
  it('is the one with the Approve button, with all that a browser would send', () => {
    const html = page(`
      <form method="post" action="/pay/EC-1/cancel"><button type="submit">Cancel</button></form>
      <form method="post" action="/pay/EC-1?a=1&amp;b=2">
        <input type="hidden" name="csrf" value="a&quot;b">
        <button type="submit" name="decision" value="approve">Approve</button>
      </form>`);
    expect(approvalForm(html)).toEqual({
      action: '/pay/EC-1?a=1&b=2',
      fields: { csrf: 'a"b', decision: 'approve' },
    });
  });

  it('is reported as missing in one sentence', () => {
    expect(() => approvalForm(page('<form><button>Cancel</button></form>'))).toThrow(
      'The approval page has no form with an Approve button.',
    );
  });
});

function page(forms: string): string {
  return `<!doctype html><main>${forms}</main>`;
}
