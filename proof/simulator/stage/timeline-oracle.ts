import type { StoredLine } from '../rows/row-types.js';
import type { Stage } from './stage.js';

/** A timeline shows no line that a lost task has written, unless the run has taken that line over with the rows. */
export function judgeTimelines({ rows, world }: Stage): void {
  for (const [id, lines] of rows.timelines.subjects()) {
    const lastChange = Math.max(
      ...[...lines.values()].filter((line) => !isRefused(line)).map(({ version }) => version),
    );
    for (const line of lines.values()) {
      const { event, version, from, to } = line;
      // A run that has taken an end over from the rows refuses the same signals once more: see docs/simulation.md.
      const isRefusedAgain = isRefused(line) && version > lastChange;
      if (line.isSuperseded || !isLost(line) || isRefusedAgain) continue;
      const words = `${event} (version ${version}, ${from} → ${to}) is of a lost task`;
      world.violate('lost line shown', `${id}: ${words}`);
    }
  }
}

function isRefused({ kind, from, to }: StoredLine): boolean {
  return kind === 'refused' && from === to;
}

function isLost({ by }: StoredLine): boolean {
  return by?.every(({ isInHistory }) => !isInHistory) === true;
}
