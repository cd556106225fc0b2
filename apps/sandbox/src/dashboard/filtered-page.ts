import type { z } from 'zod';
import { html, type Html } from '../pages/html.js';
import { filterForm, readFilters, textsOf, type FilterField } from './filter-form.js';
import type { PageContent } from './pages.js';

type Texts = Readonly<Record<string, string>>;

interface FilteredPage<Schema extends z.ZodType> extends Pick<PageContent, 'title' | 'section'> {
  readonly query: unknown;
  readonly schema: Schema;
  readonly fields: readonly FilterField[];
  /** Between the form and the list, also when something in the form is wrong: `values` is undefined then. */
  readonly above?: (values: z.output<Schema> | undefined, texts: Texts) => Html | '';
  readonly list: (values: z.output<Schema>, texts: Texts) => Promise<Html>;
}

/** The page of a list that a form narrows. A form that is wrong comes back as it was filled in, without a list. */
export async function filteredPage<Schema extends z.ZodType>(
  page: FilteredPage<Schema>,
): Promise<PageContent> {
  const { title, section, query, schema, fields, above, list } = page;
  const texts = textsOf(query);
  const { values, notice, issues } = readFilters(schema, texts, fields);
  const listed = values === undefined ? '' : await list(values, texts);
  return {
    title,
    section,
    notice,
    status: values === undefined ? 400 : 200,
    content: html`${filterForm(section, fields, texts, issues)} ${above?.(values, texts) ?? ''} ${listed}`,
  };
}
