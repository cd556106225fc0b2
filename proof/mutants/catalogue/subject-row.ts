import { type Mutant, mutantsOf } from './mutant.js';

/** What a late worker, or a run that comes there again, must not write over what was told. */
export const subjectRowMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/database/src/transitions/subject-row.ts',
      killers: [
        'test/database/payment-rows.test.ts',
        'test/database/ends.test.ts',
        'test/faults/carried-on.test.ts',
      ],
    },
    [
      {
        name: 'rows-go-back',
        harm: 'a late worker writes an older state over a newer one',
        from: 'or ${written} <= ${version} or',
        to: 'or version >= 0 or',
      },
      {
        name: 'ends-are-overwritten',
        harm: 'another reading of the same moment takes back an end',
        from: '(${isEnd} and status is distinct from ${given.knownStatus})',
        to: 'false',
      },
      {
        name: 'older-tasks-write',
        harm: 'a worker whose task was taken over takes back what was told since',
        from: 'coalesce(task_started_at > ${task}, false)',
        to: 'false',
      },
      {
        name: 'newer-tasks-wait-for-versions',
        harm: 'a row stays where a lost task has left it',
        from: '${isOfNewerTask(records.table)} or',
        to: 'false or',
      },
      {
        name: 'final-parts-are-undone',
        harm: 'a capture that was told as denied is shown as pending again',
        from: '${given.finalParts} @> ${inRow}',
        to: '${given.finalParts} is not null',
      },
      {
        name: 'outcomes-wait-for-versions',
        harm: 'a payment whose run has ended captured is shown as capturing for ever',
        from: `if (cause !== 'read') return sql\`\${row} returning \${shown}\`;`,
        to: '',
      },
      {
        name: 'ends-wait-for-versions',
        harm: 'a payment whose run has ended is shown as open for ever',
        from: 'const isEnding = sql`(${given.isEnding} and not ${isEnd})`;',
        to: 'const isEnding = sql`false`;',
      },
      {
        name: 'second-tries-are-left-out',
        harm: 'what the last read has shown is never told',
        from: '${written} <= ${version}',
        to: '${written} < ${version}',
      },
    ],
  ),
];
