/** Markup that can be inserted unchanged. */
export class Html {
  constructor(readonly markup: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds markup from a template; every inserted text is escaped, other markup is not. */
export function html(
  parts: TemplateStringsArray,
  ...inserted: readonly (string | Html | readonly Html[])[]
): Html {
  let markup = parts[0] ?? '';
  inserted.forEach((value, index) => {
    markup += render(value) + (parts[index + 1] ?? '');
  });
  return new Html(markup);
}

function render(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
  if (value instanceof Html) return value.markup;
  return value.map(({ markup }) => markup).join('');
}
