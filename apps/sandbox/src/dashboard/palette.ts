/** Colours of the dashboards. Every text has a contrast of at least 4.5 with its background (WCAG 2.2, 1.4.3). */
export const PALETTES = {
  light: {
    ground: '#ffffff',
    raised: '#f3f5f8',
    line: '#c9d1da',
    text: '#1b1f24',
    muted: '#535c67',
    link: '#0a4fc0',
    action: '#0a4fc0',
    'on-action': '#ffffff',
    good: '#0f5f26',
    'good-ground': '#dbf5e1',
    caution: '#734700',
    'caution-ground': '#fdf1c4',
    bad: '#9c0d23',
    'bad-ground': '#fde7e7',
    focus: '#b35900',
  },
  dark: {
    ground: '#0e1218',
    raised: '#171d26',
    line: '#3a4350',
    text: '#e5eaf0',
    muted: '#9ca6b3',
    link: '#84b6ff',
    action: '#84b6ff',
    'on-action': '#0b1220',
    good: '#7fdd95',
    'good-ground': '#12291b',
    caution: '#ecc15a',
    'caution-ground': '#2d2410',
    bad: '#ffa29b',
    'bad-ground': '#331718',
    focus: '#ffb84d',
  },
} as const;

export function paletteCss(palette: Readonly<Record<string, string>>): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');
}
