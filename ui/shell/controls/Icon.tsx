/** Drawn on a field of 16 by 16 with strokes of the text's colour. */
const PATHS = {
  inbox: 'M2.5 9.5 4 3.5h8l1.5 6v3h-11zM2.5 9.5H6a2 2 0 0 0 4 0h3.5',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  board: 'M2.5 3h3v10h-3zM6.5 3h3v6h-3zM10.5 3h3v8h-3z',
  workflow: 'M2.5 3h4v3h-4zM9.5 10h4v3h-4zM4.5 6v5.5h5',
  machine:
    'M8 5.75a2.25 2.25 0 1 0 0 4.5 2.25 2.25 0 0 0 0-4.5M8 2v1.75M8 12.25V14M2 8h1.75M12.25 8H14M3.75 3.75 5 5M11 11l1.25 1.25M12.25 3.75 11 5M5 11l-1.25 1.25',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8M10 10l3.5 3.5',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.2 8h.6M7.7 8h.6M12.2 8h.6',
  sun: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5',
  auto: 'M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3zM6.75 14h2.5',
  help: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M6.5 6.5a1.5 1.5 0 1 1 2.2 1.3c-.5.3-.7.6-.7 1.2M8 11.2h.01',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  statistics: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  report: 'M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2',
  shield: 'M8 2.5 13 4v4c0 2.8-2 4.7-5 5.5C5 12.7 3 10.8 3 8V4zM6 8l1.5 1.5L10.5 6.5',
  gauge: 'M2.5 11.5a5.5 5.5 0 1 1 11 0M8 11.5l2.5-3.5M8 11.5h.01',
  play: 'M5 3.5v9l7-4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M4 4h8v8H4z',
  redo: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3',
  chat: 'M2.5 3.5h11v7.5H7l-3 2.5V11H2.5z',
  merge:
    'M4.5 5.5v5M4.5 3a1.25 1.25 0 1 0 0 2.5 1.25 1.25 0 0 0 0-2.5M4.5 10.5a1.25 1.25 0 1 0 0 2.5 1.25 1.25 0 0 0 0-2.5M11.5 7a1.25 1.25 0 1 0 0 2.5 1.25 1.25 0 0 0 0-2.5M4.5 5.5c0 2 2 2.75 5.75 2.75',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  download: 'M8 3v7M5 7.5 8 10.5l3-3M3 13h10',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3l2 1.5',
  warn: 'M8 2.5 14 13H2zM8 6.5v3M8 11.25h.01',
  right: 'M6 3.5 10.5 8 6 12.5',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  bulb: 'M6 11.5h4M6.5 13.5h3M5 8.5a3.5 3.5 0 1 1 6 0c-.6.8-1 1.5-1 3H6c0-1.5-.4-2.2-1-3',
  trash: 'M3 4.5h10M6 4.5v-1h4v1M4.5 4.5l.5 8.5h6l.5-8.5',
  star: 'M8 2.5l1.7 3.5 3.8.5-2.8 2.6.7 3.9L8 11.2 4.6 13l.7-3.9L2.5 6.5 6.3 6z',
  graph: 'M3.5 3.5h3v3h-3zM9.5 9.5h3v3h-3zM9.5 3.5h3v3h-3zM6.5 5h3M11 6.5v3',
  plug: 'M6 2.5v3M10 2.5v3M4.5 5.5h7v2a3.5 3.5 0 0 1-7 0zM8 11v3',
  sliders:
    'M2.5 4.5h6M12.5 4.5h1M10.5 3v3M2.5 8h1M7.5 8h6M5.5 6.5v3M2.5 11.5h6M12.5 11.5h1M10.5 10v3',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  failed: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M6 6l4 4M10 6l-4 4',
  dot: 'M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  unlocked: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 4.9-.7',
  send: 'M2.5 8 13.5 3 10 13 7.5 9z',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a text that says what it means, so screen readers skip it. */
export function Icon(props: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${props.class ?? ''}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[props.name]} />
    </svg>
  );
}
