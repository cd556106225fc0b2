import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const longestLine = 200;
const longestReadme = 12_288;

const written = readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
  if (!entry.isDirectory()) return [entry.name];
  const isOthers = ['node_modules', 'dist', '.git', '.data'].includes(entry.name);
  return isOthers ? [] : filesIn(entry.name);
});
const documents = written
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

it('finds the documents', () => {
  expect(documents.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['README.md', 'docs/overview.md', 'docs/lifecycles/payment.md']),
  );
});

it('README is short', () => {
  expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(longestReadme);
});

describe.each(documents)('$path', ({ path, text }) => {
  const lines = withoutCode(text);

  it('has no line that is too long', () => {
    expect(lines.filter((line) => line.length > longestLine)).toEqual([]);
  });

  it('has no padded table', () => {
    expect(lines.filter((line) => line.startsWith('|') && /\S {3,}|-{4,}/.test(line))).toEqual([]);
  });

  it('has no link to anything that does not exist', () => {
    expect(linksIn(lines).filter((link) => !leadsSomewhere(path, link))).toEqual([]);
  });
});

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
const tests = written.filter((path) => /^test\/.*\.test\.ts$/.test(path));

it('every command that a document names is there, and every word of `npm test` finds a test', () => {
  const named = documents.map(({ text }) => text.replaceAll(/\s+/g, ' ')).join('\n');
  const commands = [...named.matchAll(/`npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(50);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  const words = [...named.matchAll(/`npm (?:test|run test:long) -- ([\w/. -]+)`/g)].flatMap(
    ([, given = '']) => given.split(' '),
  );
  expect(words.length).toBeGreaterThan(20);
  expect(words.filter((word) => !tests.some((path) => path.includes(word)))).toEqual([]);
});

it('every case that a test names is a failure case', () => {
  const cases = documents.find(({ path }) => path === 'docs/failure-cases.md')?.text ?? '';
  const named = written
    .filter((path) => /^test\/.*\.test\.ts$/.test(path))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/\bcase (\d+)\b/gi)])
    .map(([, number]) => number);
  expect(new Set(named).size).toBeGreaterThan(20);
  expect(named.filter((number) => !cases.includes(`\n${number}. `))).toEqual([]);
});

it.each([
  ['README.md', 'docs/overview.md', true],
  ['README.md', 'docs/no-such-file.md', false],
  ['docs/overview.md', '../README.md#run-it', true],
  ['docs/overview.md', '../README.md#no-such-section', false],
  ['docs/overview.md', '#data', true],
])('from %s to %s: %s', (from, link, expected) => {
  expect(leadsSomewhere(from, link)).toBe(expected);
});

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** A link may be broken by a line's end. */
function linksIn(lines: readonly string[]): string[] {
  const text = lines.join('\n').replaceAll(/`[^`]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, from) : join(root, dirname(from), path);
  if (!existsSync(target)) return false;
  if (anchor === undefined || !basename(target).endsWith('.md')) return true;
  return anchorsIn(readFileSync(target, 'utf8')).has(anchor);
}

/** As the usual hosts of repositories make them of headings. */
function anchorsIn(text: string): Set<string> {
  const headings = withoutCode(text).filter((line) => /^#{1,6} /.test(line));
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The lines outside fenced code. */
function withoutCode(text: string): string[] {
  let fence: string | undefined;
  return text.split('\n').filter((line) => {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    if (fence === undefined) {
      fence = mark;
      return mark === undefined;
    }
    if (mark === fence) fence = undefined;
    return false;
  });
}
