import { scaleLinear, scaleTime } from 'd3-scale';
import { line } from 'd3-shape';
import type { HealthStep, ProviderHealth } from './provider-health.js';

const width = 240;
const height = 48;

/** Draws the latency as a line, and the share of failed calls as bars from below. */
export function HealthChart({ health, name }: { health: ProviderHealth; name: string }) {
  const { steps, calls, p95 } = health;
  const [first, second] = steps;
  if (!first || !second || calls === 0) return <>no calls</>;
  const length = second.from.getTime() - first.from.getTime();
  const end = first.from.getTime() + steps.length * length;
  const x = scaleTime([first.from, new Date(end)], [0, width]);
  const slowest = Math.max(...steps.map((step) => step.p95 ?? 0), 1);
  const y = scaleLinear([0, slowest], [height - 1, 1]);
  const share = scaleLinear([0, 1], [0, height]);
  const latency = line<HealthStep>()
    .defined((step) => step.p95 !== undefined)
    .x(({ from }) => x(new Date(from.getTime() + length / 2)))
    .y((step) => y(step.p95 ?? 0));
  const said = `${name}: ${failedText(health)}, 95% answered within ${p95 ?? 0} ms; the slowest five minutes ${slowest} ms`;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said}>
        <line x1={0} y1={height - 0.5} x2={width} y2={height - 0.5} />
        {steps.map(({ from, calls: made, failed }) => {
          const tall = made === 0 ? 0 : share(failed / made);
          return tall === 0 ? null : (
            <rect x={x(from)} y={height - tall} width={width / steps.length - 1} height={tall} />
          );
        })}
        <path d={latency(steps) ?? ''} />
        {steps.map((step) =>
          step.p95 === undefined ? null : (
            <circle cx={x(new Date(step.from.getTime() + length / 2))} cy={y(step.p95)} r={1.5} />
          ),
        )}
      </svg>
      <figcaption>{`${failedText(health)}; 95% within ${p95 ?? 0} ms`}</figcaption>
    </figure>
  );
}

function failedText({ calls, failed }: ProviderHealth): string {
  return `${failed} of ${calls} calls failed`;
}
